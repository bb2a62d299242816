import type { Lang } from '../locale';

/** What every chart says around its picture. */
export interface ChartWords {
  table: string;
  /** Of a button that is labelled "SVG" or "PNG". */
  save(name: string, form: string): string;
}

export const words: Record<Lang, ChartWords> = {
  en: {
    table: 'Show as a table',
    save: (name, form) => `${form}: save the picture “${name}”`,
  },
  ru: {
    table: 'Показать таблицей',
    save: (name, form) => `${form}: сохранить рисунок «${name}»`,
  },
  zh: {
    table: '以表格显示',
    save: (name, form) => `${form}：保存图“${name}”`,
  },
};
