/**
 * Names in parts. A legal name is the given name and those of father, grandfather and family, as Egyptian records have
 * them, in one script; the full name is what they make when written one after the other. Where the parts are not known, the
 * full name stands by itself. Pure.
 */

/** Parts of a name in one script, in the order in which they are written. */
export const NAME_PARTS = ['given', 'father', 'grandfather', 'family'] as const
export type NamePart = (typeof NAME_PARTS)[number]
export type Parts = Readonly<Record<NamePart, string | null>>
export type Script = 'latin' | 'arabic'

/** One space between words, none around. */
export const tidyPersonName = (name: string): string => name.normalize('NFC').replace(/\s+/gu, ' ').trim()

/** The full name that parts make. */
export const joinName = (parts: Parts): string =>
  NAME_PARTS.flatMap((part) => (parts[part] ? [tidyPersonName(parts[part])] : [])).join(' ')

const NOBODY: Parts = { given: null, father: null, grandfather: null, family: null }

/** How words of names are compared: letters by which the same word is written differently are one. */
const bare = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/[\p{M}\u0640'’ʼ.-]/gu, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .toLowerCase()

/** Words that begin a name of several: what follows belongs to them. */
const OPENING: Readonly<Record<Script, ReadonlySet<string>>> = {
  arabic: new Set(['عبد', 'ابو', 'ابي', 'ابا', 'ام', 'ال', 'بن', 'ابن', 'بنت', 'ذو', 'بو'].map(bare)),
  latin: new Set(
    [
      'abd',
      'abu',
      'abo',
      'abou',
      'abi',
      'umm',
      'om',
      'al',
      'el',
      'aal',
      'bin',
      'ibn',
      'ben',
      'bint',
      'abdel',
      'abdul',
      'abdal',
    ].map(bare),
  ),
}
/** Words that end a name of several: they belong to what stands before them. */
const CLOSING: Readonly<Record<Script, ReadonlySet<string>>> = {
  arabic: new Set(
    ['الله', 'الدين', 'الاسلام', 'الحق', 'النبي', 'اللاه', 'الزهراء', 'المولي', 'الرسول', 'العابدين', 'النصر'].map(bare),
  ),
  latin: new Set(
    [
      'allah',
      'eldin',
      'aldin',
      'eddin',
      'eddine',
      'addin',
      'uddin',
      'din',
      'elislam',
      'alislam',
      'islam',
      'elhaq',
      'alhaq',
      'alzahraa',
      'elzahraa',
    ].map(bare),
  ),
}
/** Closing words that are names of their own too: they close only after an article. */
const ONLY_AFTER_ARTICLE = new Set(['din', 'islam'])
const ARTICLES = new Set(['el', 'al', 'ed', 'ad'])

/** The names of which a full name is made: compound ones (عبد الله, أبو بكر, نور الدين, Abd El Rahman) stay together. */
export function namePartsIn(full: string, script: Script): string[] {
  const words = tidyPersonName(full).split(' ').filter(Boolean)
  const names: string[][] = []
  let open = false
  for (const [i, word] of words.entries()) {
    const text = bare(word)
    const before = names.at(-1)
    const article = ARTICLES.has(text) && script === 'latin'
    // `Seif El Din`: the article closes what stands before it, with its word.
    const closesNext = article && CLOSING.latin.has(bare(words[i + 1] ?? ''))
    const closes =
      CLOSING[script].has(text) && !(ONLY_AFTER_ARTICLE.has(text) && !ARTICLES.has(bare(words[i - 1] ?? '')))
    if (before && (open || closes || closesNext)) before.push(word)
    else names.push([word])
    open = OPENING[script].has(text)
  }
  return names.map((name) => name.join(' '))
}

/**
 * A proposal of the parts of a full name, for a person to look at: the first is the given name, the last that of the
 * family, those between are father and grandfather; what is more belongs to the family.
 */
export function splitName(full: string, script: Script): Parts {
  const names = namePartsIn(full, script)
  const [given = null, father = null, grandfather = null, ...rest] = names
  if (names.length <= 1) return { ...NOBODY, given }
  if (names.length === 2) return { ...NOBODY, given, family: father }
  if (names.length === 3) return { ...NOBODY, given, father, family: grandfather }
  return { given, father, grandfather, family: rest.join(' ') }
}

/**
 * The parts that remain known when somebody writes the full name anew: the same, where they still make it; with one of
 * them written otherwise, where only that one can have changed; else null, and the full name stands by itself.
 */
export function realignParts(parts: Parts, full: string): Parts | null {
  const name = tidyPersonName(full)
  if (joinName(parts) === name) return parts
  const filled = NAME_PARTS.filter((part) => parts[part])
  const found = filled.flatMap((part): Parts[] => {
    const at = filled.indexOf(part)
    const text = (some: readonly NamePart[]): string => some.map((one) => tidyPersonName(parts[one]!)).join(' ')
    const before = at === 0 ? '' : `${text(filled.slice(0, at))} `
    const after = at === filled.length - 1 ? '' : ` ${text(filled.slice(at + 1))}`
    if (!name.startsWith(before) || !name.endsWith(after)) return []
    const changed = name.slice(before.length, name.length - after.length)
    return changed && name.length > before.length + after.length && changed.trim() === changed
      ? [{ ...parts, [part]: changed }]
      : []
  })
  return found.length === 1 ? found[0]! : null
}

/** Whether parts say a name at all: there is a given name, and no grandfather without a father. */
export const partsProblem = (parts: Parts): NamePart | null =>
  !parts.given ? 'given' : parts.grandfather && !parts.father ? 'father' : null

/**
 * The parts of a name of which somebody wrote some: those alone, where they make the full name that was written beside them;
 * else they take the place of those that were known.
 */
export function partsAfter(known: Parts | null, written: Partial<Parts>, full: string | null): Parts {
  const alone: Parts = { ...NOBODY, ...written }
  return full !== null && joinName(alone) === tidyPersonName(full) ? alone : { ...NOBODY, ...known, ...written }
}

/** The first part that does not stand where it must in a full name; the last one where the name goes on. Null: they make it. */
export function partBeside(parts: Parts, full: string): NamePart | null {
  let rest = tidyPersonName(full)
  const filled = NAME_PARTS.filter((part) => parts[part])
  for (const part of filled) {
    const text = tidyPersonName(parts[part]!)
    if (rest !== text && !rest.startsWith(`${text} `)) return part
    rest = rest.slice(text.length + 1)
  }
  return rest ? (filled.at(-1) ?? 'given') : null
}
