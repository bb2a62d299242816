import type { ErrorReport, Json, LogAnswer, LogQuery, Request } from 'ridgepoint';
import type { Planner } from '../planner';
import type { Problem } from '../types';
import { flagFields } from './row-fields';

// A pasted log as a row: what the reader gave, and what the core read of it.

export interface Pasted {
  log: string;
  command: string;
  card: string;
  source: string;
  date: string;
}

type RowJson = LogAnswer['row'];

const FIGURES = [
  'weights_gib',
  'kv_cache_gib',
  'kv_tokens',
  'kv_blocks',
  'max_concurrency',
  'compute_buffer_mib',
  'error_needed_kv_gib',
];

/** An engine and the last part of an address, which is the number of an issue or the name of a file. */
function idOf(engine: string, source: string): string {
  const last = source.trim().split(/[/#?]/).filter(Boolean).at(-1);
  return last ? `${engine}-${last}` : '';
}

export class Sender {
  pasted: Pasted = { log: '', command: '', card: '', source: '', date: '' };
  answer: LogAnswer | null = null;
  problem: Problem | null = null;
  reading = false;
  copied: 'no' | 'yes' | 'refused' = 'no';

  /** Flags of the command that was read. */
  #told: Record<string, Json> = {};

  constructor(
    private readonly planner: Planner,
    private readonly changed: () => void,
  ) {}

  readonly set = (change: Partial<Pasted>) => {
    this.pasted = { ...this.pasted, ...change };
    this.copied = 'no';
    this.changed();
  };

  readonly read = async () => {
    this.reading = true;
    this.problem = null;
    this.copied = 'no';
    this.changed();
    const answer = await this.#ask();
    this.reading = false;
    if ('error' in answer) {
      this.answer = null;
      this.problem = answer.error as Problem;
    } else {
      this.answer = answer as LogAnswer;
    }
    this.changed();
  };

  /** With the card where its name is known here, so that there is a prediction to hold it against. */
  async #ask(): Promise<LogAnswer | ErrorReport> {
    const { log, card } = this.pasted;
    const query = await this.#query();
    const id = card
      .trim()
      .toLowerCase()
      .replace(/^(?:nvidia )?(?:geforce )?/, '')
      .replace(/\s+/g, '-');
    if (id === '') return this.planner.readLog(log, query);
    const gpu = { ...query.request?.gpu, id };
    const answer = await this.planner.readLog(log, { request: { ...query.request, gpu } });
    const known = !('error' in answer) && answer.request !== null;
    return known ? answer : this.planner.readLog(log, query);
  }

  /** What the command says of the setup; a command that cannot be read says nothing. */
  async #query(): Promise<LogQuery> {
    const text = this.pasted.command.trim();
    this.#told = {};
    if (text === '') return {};
    const told = await this.planner.ask('readCommand', { text });
    if (!('request' in told)) return {};
    const request = told.request as Request;
    this.#told = request.engine.args ?? {};
    return { request };
  }

  /** The row with what only the reader knows. */
  get row(): RowJson | null {
    if (!this.answer) return null;
    const { answer } = this;
    const { row } = answer;
    const { source, card, date } = this.pasted;
    return {
      ...row,
      ...this.#flags,
      id: row.id || idOf(answer.engine, source),
      source: source.trim() || null,
      date: date || (row.date ?? null),
      gpu: card.trim() || (row.gpu ?? null),
    };
  }

  /** Flags that the log does not print and the command has. */
  get #flags(): Record<string, Json> {
    if (!this.answer || this.pasted.command.trim() === '') return {};
    return flagFields(this.answer.row, this.answer.engine, this.#told);
  }

  /** Without which a row would be left out. */
  get lacks(): string[] {
    const { row } = this;
    if (!row) return [];
    const told = (field: string) => row[field] !== null && row[field] !== undefined;
    const missing = ['engine_version', 'model', 'source'].filter((field) => !told(field));
    if (!told('gpu') && !told('gpu_total_gib')) missing.push('gpu');
    if (!FIGURES.some(told)) missing.push('figures');
    return missing;
  }

  readonly copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(this.row));
      this.copied = 'yes';
    } catch {
      this.copied = 'refused';
    }
    this.changed();
  };
}
