/** The text of a certificate as parts: words, and places that are filled from the record of a person. Pure functions. */
import { TEXT_PLACES, type TextPlace } from './places.contract.ts'

export type TemplatePart = { readonly text: string } | { readonly place: TextPlace }

const isPlace = (name: string): name is TextPlace => (TEXT_PLACES as readonly string[]).includes(name)

/** A text in its parts; what is in braces and is no place stays text. */
export function templateParts(text: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let begun = 0
  for (const { 0: whole, 1: name = '', index } of text.matchAll(/\{(\w+)\}/g)) {
    if (!isPlace(name)) continue
    if (index > begun) parts.push({ text: text.slice(begun, index) })
    parts.push({ place: name })
    begun = index + whole.length
  }
  if (begun < text.length) parts.push({ text: text.slice(begun) })
  return parts
}

/** Words that two versions of a text share, and those that only one of them has. */
export interface ChangedWords {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}
/** What became of a text, in the order in which it is read: words that went stand before those that came in their place. */
export function changedWords(before: string, after: string): ChangedWords[] {
  const [old, now] = [wordsIn(before), wordsIn(after)]
  const [left, right] = [old, now].map((words) => words.map((word) => word.trim())) as [string[], string[]]
  // Longest common row of words, from the end, so that it can be read from the beginning.
  const rest = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      rest[i]![j] = left[i] === right[j] ? rest[i + 1]![j + 1]! + 1 : Math.max(rest[i + 1]![j]!, rest[i]![j + 1]!)
  const found: { kind: ChangedWords['kind']; text: string }[] = []
  const add = (kind: ChangedWords['kind'], text: string) => {
    const last = found.at(-1)
    if (last?.kind === kind) last.text += text
    else found.push({ kind, text })
  }
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length)
    if (i < old.length && j < now.length && left[i] === right[j]) {
      add('same', now[j]!)
      i++
      j++
    } else if (i < old.length && (j >= now.length || rest[i + 1]![j]! >= rest[i]![j + 1]!)) add('gone', old[i++]!)
    else add('new', now[j++]!)
  return found
}
/** Words and places, each with the space behind it. */
const wordsIn = (text: string): string[] => text.match(/(?:[^\s{}]+|\{\w+\}|[{}])\s*|\s+/g) ?? []
