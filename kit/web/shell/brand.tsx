import { nameOf } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { useUniversity } from '../theme/university.ts'
import css from './shell.module.css'

/** The university's logo, or the application's own sign. */
export function Emblem({ size = 32 }: { size?: number }) {
  const { logo } = useUniversity()
  if (logo) return <img src={logo} alt="" width={size} height={size} className={css.logo} />
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M16 7 5.5 12 16 17l10.5-5z" fill="#fff" />
      <path d="M9.5 15.6v5.1c0 1.7 2.9 3.1 6.5 3.1s6.5-1.4 6.5-3.1v-5.1L16 18.7z" fill="#fff" opacity=".72" />
      <path d="M26.5 12v7" stroke="#fff" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  )
}
/** Name of the university in the reader's language. */
export function UniversityName() {
  const u = useUniversity()
  const l = useLanguage()
  return <bdi>{nameOf(u, l) || 'University EMS'}</bdi>
}
