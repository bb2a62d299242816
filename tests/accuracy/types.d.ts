/** One line of the corpus of measured starts; fields differ by engine. */
export type Row = Record<string, any> & { id: string; model: string };

export interface Shared {
  /** A config of the corpus by file name; null when it is not there. */
  config(file: string | null): Record<string, any> | null;
  /** The config of a model by its id, from the corpus or the project's own fixtures. */
  fixture(model: string): Record<string, any> | null;
  /** What another calculator asks of a setup: the hidden size, and the card's GB by its name. */
  facts(request: any): { hidden: number | null; nominal: number | null };
  /** Built-in models of a config's sizes. */
  standIns(config: Record<string, any> | undefined): string[];
  /** The id of the card that a source's words mean; null when none. */
  card(words: string): string | null;
}

/** Why a row says nothing of the estimate, or the request it makes. */
export type Conversion =
  | { excluded: string }
  | {
      /** From the config, the card and the flags alone. */
      request: object;
      /**
       * The same with what the row itself measured put in: one request, or two whose answers the
       * measured figures must lie between.
       */
      given: object[] | null;
    };

/** Bytes, blocks, tokens, requests; null where the row does not say. */
export type Figures = Record<string, number | null>;

/** What an engine's module of this folder gives. */
export interface Corpus {
  requestOf(row: Row, shared: Shared): Conversion;
  measured(row: Row): Figures;
  era(row: Row): string;
  /** Label of a kind of model; by default the report's attention, "+moe" where it has experts. */
  kind?(row: Row, report: any): string;
  /** The report's figure of a term, where the corpus names terms of its own. */
  predicted?(report: any, term: string): { low: number; best: number; high: number } | undefined;
  /** Terms that follow from the figures given; by default those of the printed pool. */
  follows?: string[];
  /** How far off what follows may be, where the figures given are rounded themselves. */
  tolerance?: number;
  /** Why the worst are off, by row. */
  causes?: Record<string, string>;
}
