import type { ComponentProps, ReactNode } from 'react'
import type { Tone } from '#kit/contract/field.ts'
import { nameOf, otherNameOf } from '../i18n/format.ts'
import type { Named } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { STATES } from './states.ts'
import type { State } from './states.ts'
import css from './feedback.module.css'

/** The shape of each tone, so that a status is told without colour. */
const SHAPES: Readonly<Record<Tone, ReactNode>> = {
  draft: (
    <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.2 1.6" />
  ),
  waiting: (
    <>
      <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" fill="currentColor" />
    </>
  ),
  done: (
    <path
      d="M2.2 6.4 4.9 9l5-5.8"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  refused: <path d="m3 3 6 6M9 3 3 9" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />,
  frozen: (
    <>
      <rect x="2.4" y="5.2" width="7.2" height="5" rx="1" fill="currentColor" />
      <path d="M4 5V3.8a2 2 0 0 1 4 0V5" fill="none" stroke="currentColor" strokeWidth="1.4" />
    </>
  ),
  active: <circle cx="6" cy="6" r="4" fill="currentColor" />,
}

/**
 * A status: a shape and a word, the same on every screen. By its meaning (`is`), or by the tone of a choice of the contract
 * (`<Status {...choice} label={say(choice.label)} />`).
 */
export function Status({
  label,
  ...by
}: { label: ReactNode } & ({ readonly is: State; tone?: undefined } | { readonly tone: Tone; is?: undefined })) {
  const tone = by.is === undefined ? by.tone : STATES[by.is]
  return (
    <span className={css.status} data-tone={tone}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden>
        {SHAPES[tone]}
      </svg>
      <span dir="auto">{label}</span>
    </span>
  )
}

/** Text whose direction is its own: names, titles, anything typed by people. */
export const Bdi = ({ children, ...rest }: ComponentProps<'bdi'>) => <bdi {...rest}>{children}</bdi>

/** Codes, numbers, ranges, times, addresses: left to right in every language, in even figures. */
export const Code = ({ children, className, ...rest }: ComponentProps<'bdi'>) => (
  <bdi dir="ltr" className={className ? `${css.code} ${className}` : css.code} {...rest}>
    {children}
  </bdi>
)

/** A name in the reader's language; `second` adds the other one below. */
export function Name({
  row,
  second,
  empty = '–',
}: {
  row: Named | null | undefined
  second?: boolean
  empty?: ReactNode
}) {
  const l = useLanguage()
  const first = nameOf(row, l)
  if (!first) return <>{empty}</>
  const other = second ? otherNameOf(row, l) : null
  if (!other) return <bdi>{first}</bdi>
  return (
    <span className={css.name}>
      <bdi>{first}</bdi>
      <bdi className={css.nameOther} lang={l === 'ar' ? 'en' : 'ar'}>
        {other}
      </bdi>
    </span>
  )
}
