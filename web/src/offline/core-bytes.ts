// Stands in for the bytes that the widget carries: every core of the offline file has the same.

export const text = '';
export const rare: number[] = [];
