/**
 * All looks of a list in a full sweep (`SWEEP=1`); else each `step`-th from `first` on, so that a run of
 * every check takes each width, theme and language once and not in all their combinations.
 */
export const swept = <T>(all: readonly T[], step: number, first = 0): T[] =>
  process.env.SWEEP ? [...all] : all.filter((_, at) => at % step === first);
