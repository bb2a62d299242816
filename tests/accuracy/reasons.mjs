// Why rows are left out, by a word that the page has in every language.

/** The first that matches. The sentences are those of this folder and the core's error codes. */
const REASONS = [
  [/^version_too_old|older than the rules|before the first build/, 'old'],
  [/a fork|ik_llama|a format of a fork|AutoDeploy|newer than the builds/, 'fork'],
  [/virtual GPU|other users|other programs|lay on the card|the hypervisor/, 'shared'],
  [/the same start as|quoted for comparison/, 'twice'],
  [/the pool in the row is that of|the first stage's/, 'other_gpu'],
  [
    /add up to|have had more|figures imply|sister start|may not be of one run|are 0\.93|encoder that had a cache/,
    'contradicts',
  ],
  [
    /no figure that is compared|not printed|was printed|ends before|launcher|one figure|temporary cache of the dry run|bytes a token alone|the bytes of the cache|not a start/,
    'no_figure',
  ],
  [
    /config is not at hand|own config|model's config|config of|no public config|^no config|no model config|lost vision_config|draft model|a draft of/,
    'config',
  ],
  [/does not name the version|build not told/, 'version'],
  [
    /cards?\b.* (is|are) not (named|known)|card or its memory|card nor|how many cards|the card is|no card|that the source does not name|the card \(/,
    'card',
  ],
  [
    /size of the model|model is (not )?named|parallel size|published checkpoints|cells and quant/,
    'model',
  ],
  [
    /fraction|flags|not read|utilization|chunk of|execution context|experts lie|--max-total-tokens|other flags/,
    'flags',
  ],
];

export const CODES = [...new Set(REASONS.map(([, code]) => code))];

/** @param {string} why @returns {string} */
export function reasonCode(why) {
  const found = REASONS.find(([words]) => words.test(why));
  if (!found)
    throw new Error(`no word for the reason "${why}": add one to tests/accuracy/reasons.mjs`);
  return found[1];
}
