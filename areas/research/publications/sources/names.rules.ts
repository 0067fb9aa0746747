import { fold } from '#kit/contract/fold.ts'

/**
 * Names and titles as they sound, so that the same in Arabic and in Latin letters is the same text: consonants alone, without
 * what transliterations do differently (long vowels, doubled letters, emphatic ones, the article).
 */
const ARABIC: Readonly<Record<string, string>> = {
  ب: 'b',
  پ: 'b',
  ت: 't',
  ث: 't',
  ج: 'g',
  ح: 'h',
  خ: 'k',
  د: 'd',
  ذ: 'd',
  ر: 'r',
  ز: 'z',
  س: 's',
  ش: 's',
  ص: 's',
  ض: 'd',
  ط: 't',
  ظ: 'd',
  ع: '',
  غ: 'g',
  ف: 'f',
  ق: 'k',
  ك: 'k',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ه: 'h',
  و: '',
  ي: '',
  ا: '',
  ء: '',
  ؤ: '',
  ئ: '',
  ڤ: 'f',
  چ: 'g',
  گ: 'g',
}
const LATIN: readonly (readonly [RegExp, string])[] = [
  [/sch|sh|ch/g, 's'],
  [/kh/g, 'k'],
  [/gh/g, 'g'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/ph|v/g, 'f'],
  [/ck|c|q/g, 'k'],
  [/x/g, 'ks'],
  [/p/g, 'b'],
  [/j/g, 'g'],
  [/[aeiouyw]/g, ''],
]

/** Without doubled letters, and without the t that some say at the end of a word and some do not. */
const ended = (sound: string): string => sound.replace(/(.)\1+/g, '$1').replace(/(?<=..)t$/, '')

/** A word as it sounds; empty where nothing is left of it. */
export function soundOf(word: string): string {
  const folded = fold(word)
  if (/\p{Script=Arabic}/u.test(folded)) {
    const bare = folded.replace(/^(?:وال|بال|كال|فال|ال|لل)(?=..)/u, '')
    // The end that is written and not said.
    const letters = [...bare.replace(/ه$/u, '')].map((letter) => ARABIC[letter] ?? '').join('')
    return ended(letters)
  }
  let sound = folded
    .replace(/[^a-z0-9]/g, '')
    .replace(/^al(?=...)/, '')
    .replace(/h$/, '')
  for (const [from, to] of LATIN) sound = sound.replace(from, to)
  return ended(sound)
}
const words = (text: string): string[] =>
  fold(text)
    .replace(/['’ʼʿʾ`´]/g, '')
    // Names of two words that some write as one.
    .replace(/(^|\s)(عبد|ابو|بن|abd|abdel|abdul|abu|el|al)[\s-]+(?=\p{L}{2})/gu, '$1$2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
/** `Fahmy, N.` as `N. Fahmy`. */
const turned = (name: string): string => {
  const [family, given, ...more] = name.split(/,|،/)
  return given !== undefined && more.length === 0 ? `${given.trim()} ${family!.trim()}` : name
}

/** Whether two names may be of one person: a family name alike, and no given name that says otherwise. In either script. */
export function alike(one: string, other: string): boolean {
  const [a, b] = [words(turned(one)), words(turned(other))]
  if (a.length === 0 || b.length === 0) return false
  const same = (x: string, y: string): boolean =>
    x === y || (soundOf(x) !== '' && soundOf(x).length > 1 && soundOf(x) === soundOf(y))
  // Two parts of a name that are alike, or one and an initial.
  const found = a.filter((x) => x.length > 1 && b.some((y) => y.length > 1 && same(x, y)))
  if (found.length === 0) return false
  const [least] = [Math.min(a.length, b.length)]
  if (found.length >= Math.min(2, least)) return true
  const initials = (of: readonly string[]) => of.filter((x) => x.length === 1)
  const firsts = (of: readonly string[]) => new Set(of.flatMap((x) => [x[0], soundOf(x)[0]]))
  return initials(a).some((x) => firsts(b).has(x)) || initials(b).some((x) => firsts(a).has(x))
}
