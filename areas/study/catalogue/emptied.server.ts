import type { Values } from '#kit/server/resource/resource.ts'

/** A field that somebody emptied takes the value it has when nothing is said; one that was not sent stays unsaid. */
export function emptied(merged: Values, usual: Values): void {
  for (const [name, value] of Object.entries(usual)) if (merged[name] === null) merged[name] = value
}
