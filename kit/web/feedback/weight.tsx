import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '../i18n/catalogue.ts'
import type { T } from '../i18n/catalogue.ts'
import { latinDigits } from '../i18n/format.ts'
import css from './feedback.module.css'

/** From how many on their number is typed, so that it does not happen by mistake. */
const MANY = 25
/** Names told of those whom it concerns. */
const TOLD = 5

/** The people or records that an action concerns: their number, and the known names. */
export interface Concerned {
  readonly count: number
  readonly names: readonly string[]
}
/** How heavy an act is: what has to be read and typed before its button works. */
export interface Weight {
  /** Whom it concerns. */
  readonly whom?: Concerned | undefined
  /** It hurts or cannot be taken back: from many on their number has to be typed. */
  readonly heavy?: boolean
  /** The name that has to be typed, where it hurts most. */
  readonly typeName?: string
}

/** What has to be typed; null: nothing. */
export const wantedFor = ({ whom, heavy, typeName }: Weight): string | null =>
  typeName ?? (heavy && whom && whom.count >= MANY ? String(whom.count) : null)

/** Whether it is typed: a number also in the reader's own digits. */
export function isTyped(wanted: string | null, typed: string): boolean {
  const plain = (text: string) => latinDigits(text.replace(/[\s.,٬]/g, ''))
  return wanted === null || plain(typed) === plain(wanted)
}

/** The first names of those concerned, and how many more. */
export function Whom({ whom }: { whom: Concerned | undefined }) {
  const t = useT('kit')
  if (!whom?.names.length) return null
  const more = whom.count - Math.min(TOLD, whom.names.length)
  return (
    <ul className={css.whom}>
      {whom.names.slice(0, TOLD).map((name, i) => (
        <li key={i}>
          <bdi>{name}</bdi>
        </li>
      ))}
      {more > 0 && <li>{t('and_more', { count: more })}</li>}
    </ul>
  )
}

/** What the input for the name or number says; nothing if none is required. */
export const labelToConfirm = (t: T<'kit'>, of: Weight): string | null => {
  const wanted = wantedFor(of)
  if (wanted === null) return null
  return of.typeName ? t('type_name', { name: wanted }) : t('type_number', { count: Number(wanted) })
}

/** The input for the name or number; nothing if none is required. */
export function TypedToConfirm({
  of,
  value,
  error,
  onChange,
}: {
  of: Weight
  value: string
  error?: ReactNode
  onChange: (typed: string) => void
}) {
  const t = useT('kit')
  const wanted = wantedFor(of)
  if (wanted === null) return null
  return (
    <TextInput
      data-autofocus
      mt="md"
      label={labelToConfirm(t, of)}
      inputMode={of.typeName ? undefined : 'numeric'}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      dir="auto"
      autoComplete="off"
    />
  )
}
