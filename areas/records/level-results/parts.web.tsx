import type { Tone } from '#kit/contract/field.ts'
import type { Label } from '#kit/contract/index.ts'
import { Status } from '#kit/web/feedback/index.ts'
import { useLabel } from '#kit/web/i18n/index.ts'
import { LEVEL_STATES, OUTCOMES } from './words.contract.ts'

const Word = ({ of, value }: { of: readonly { value: string; label: Label; tone: Tone }[]; value: string }) => {
  const say = useLabel()
  const known = of.find((one) => one.value === value)
  return known ? <Status tone={known.tone} label={say(known.label)} /> : null
}
/** What becomes of a student. */
export const OutcomeBadge = ({ value }: { value: string }) => <Word of={OUTCOMES} value={value} />
/** Where a level of a year stands. */
export const LevelState = ({ value }: { value: string }) => <Word of={LEVEL_STATES} value={value} />
