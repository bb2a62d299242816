// The pages of the site in one file: the address says which one it is.

if (location.search === '?accuracy') void import('../accuracy/main');
else void import('../main');

export {};
