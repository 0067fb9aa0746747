import type { Tone } from '#kit/contract/field.ts'

export type { Tone }
/** The one table of status colours: CSS variables `--tone-{tone}`, `--tone-{tone}-ground`. Grey, amber, green, red, blue-grey, accent. */
export const TONES = ['draft', 'waiting', 'done', 'refused', 'frozen', 'active'] as const satisfies readonly Tone[]
export const toneColour = (tone: Tone): string => `var(--tone-${tone})`
export const toneGround = (tone: Tone): string => `var(--tone-${tone}-ground)`
