import type { Label } from '#kit/contract/words.ts'

/** A text of a catalogue, in the reader's language already, as the label of a field: for forms whose fields a screen makes itself. */
export const asLabel = (text: string): Label => [text, text]
