import { Button } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { useEffect } from 'react'
import type { ReactNode, RefObject } from 'react'
import { Link } from 'react-router'
import { useChange } from '../../api/hooks.ts'
import { Problems } from '../../feedback/problems.tsx'
import { PlainForm } from '../../form/plain-form.tsx'
import { useT } from '../../i18n/catalogue.ts'
import { LANGUAGES, LANGUAGE_NAMES, useLanguage } from '../../i18n/language.ts'
import { useUniversity } from '../../theme/university.ts'
import { Emblem, UniversityName } from '../../shell/brand.tsx'
import { chooseLanguage } from '../../shell/choose-language.ts'
import css from './pages.module.css'

/** Chooses the language where no account menu is: by the browser's own list, which is light, and at home on a phone. */
function LanguageSwitch() {
  const t = useT('kit')
  const l = useLanguage()
  return (
    <label className={css.language}>
      <IconLanguage size={17} stroke={1.6} aria-hidden />
      <select
        aria-label={t('language')}
        value={l}
        onChange={({ currentTarget: { value } }) => {
          const chosen = LANGUAGES.find((one) => one === value)
          if (chosen) void chooseLanguage(chosen)
        }}
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Puts the focus where typing begins, on pages that hold nothing else. */
export function useFocusOn(field: RefObject<HTMLElement | null>): void {
  useEffect(() => field.current?.focus({ preventScroll: true }), [field])
}

export interface PublicPageProps {
  /** Of the window, too. */
  readonly title: string
  /**
   * `form`: to be filled in, beside a panel of the university; its title stands above it. `message`: one thing, and the next
   * step. `pages`: several questions, from the top. `sheet`: read at arm's length on a phone, under the emblem.
   */
  readonly as: 'form' | 'message' | 'pages' | 'sheet'
  /** Under the title of a form. */
  readonly text?: ReactNode
  readonly children: ReactNode
}

/** Every page that is opened without signing in: title, university, language, and one thing to do. */
export function PublicPage({ title, as, text, children }: PublicPageProps) {
  const t = useT('kit')
  const { short_name } = useUniversity()
  useEffect(() => {
    document.title = `${title} · ${short_name || 'University EMS'}`
  }, [title, short_name])
  if (as === 'form') {
    return (
      <div className={css.outside}>
        <aside className={css.panel}>
          <Brand className={css.panelBrand} size={40} />
          <Courtyard />
          <p className={css.panelText}>{t('welcome_text')}</p>
        </aside>
        <div className={css.side}>
          <header className={css.sideTop}>
            <Brand className={css.smallBrand} size={30} />
            <LanguageSwitch />
          </header>
          <main className={css.form} id="content">
            <h1>{title}</h1>
            {text && <p className={css.lead}>{text}</p>}
            {children}
          </main>
        </div>
      </div>
    )
  }
  if (as === 'message' || as === 'pages') {
    return (
      <div className={css.message}>
        <header className={css.messageTop}>
          <Link to="/" className={css.messageBrand}>
            <Emblem size={28} />
            <UniversityName />
          </Link>
          <LanguageSwitch />
        </header>
        <main className={as === 'pages' ? css.pagesBody : css.messageBody} id="content">
          {children}
        </main>
      </div>
    )
  }
  return (
    <div className={css.sheet}>
      <header className={css.sheetTop}>
        <LanguageSwitch />
      </header>
      <main className={css.sheetBody} id="content">
        <div className={css.sheetBrand}>
          <Emblem size={56} />
          <UniversityName />
        </div>
        {children}
      </main>
    </div>
  )
}

const Brand = ({ className, size }: { className: string | undefined; size: number }) => (
  <div className={className}>
    <Emblem size={size} />
    <span>
      <UniversityName />
    </span>
  </div>
)

/** A form of such a page: its fields, what was refused above them, one button. */
export function PublicForm({
  action,
  send,
  foot,
  children,
}: {
  readonly action: string
  readonly send: (typed: Readonly<Record<string, string>>) => Promise<unknown>
  readonly foot?: ReactNode
  readonly children: ReactNode
}) {
  const { busy, problem, go } = useChange()
  return (
    <PlainForm className={css.fields} busy={busy} send={(typed) => void go(() => send(typed))}>
      {problem !== null && <Problems error={problem} />}
      {children}
      <Button type="submit" size="md" fullWidth loading={busy}>
        {action}
      </Button>
      {foot}
    </PlainForm>
  )
}

/** A quiet drawing of arcades, the same read from either side. */
function Courtyard() {
  const arches = Array.from({ length: 7 }, (_, i) => i)
  return (
    <svg className={css.courtyard} viewBox="0 0 560 320" preserveAspectRatio="xMidYMax slice" aria-hidden>
      {[0, 1].map((row) => (
        <g key={row} opacity={0.34 - row * 0.09} transform={`translate(0 ${row * -84})`}>
          {arches.map((i) => {
            const x = i * 80
            return (
              <path
                key={i}
                d={`M${x + 10} 320V${270 - 8}c0-22 14-34 30-48 16 14 30 26 30 48V320`}
                fill="none"
                stroke="#fff"
                strokeWidth="1.6"
              />
            )
          })}
          <path d="M0 206h560M0 320h560" stroke="#fff" strokeWidth="1.6" />
        </g>
      ))}
      <circle cx="280" cy="62" r="22" fill="none" stroke="#fff" strokeWidth="1.6" opacity="0.3" />
      {Array.from({ length: 8 }, (_, i) => (
        <path
          key={i}
          d="M280 28v-10"
          stroke="#fff"
          strokeWidth="1.6"
          opacity="0.3"
          transform={`rotate(${i * 45} 280 62)`}
        />
      ))}
    </svg>
  )
}
