import { IconChevronRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useMaybeMe } from '../auth/me.ts'
import { useT } from '../i18n/catalogue.ts'
import { nameOf } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { groupsOf, subjectTitle, titleOf } from '../router/screens.ts'
import { addressFrom, groupOf, parentsOf, tabsBeside } from './menu.ts'
import { useHere } from './here.ts'
import css from './shell.module.css'

/** Where I am: at most the last four steps, the present one named after its loaded item. */
const KEPT = 4

export function Crumbs({ className }: { className?: string }) {
  const t = useT('kit')
  const l = useLanguage()
  const me = useMaybeMe()
  const { screen, params, item } = useHere()
  if (!screen) return <nav className={className} />
  const chain = parentsOf(screen, me?.user.type)
  const top = chain[0] ?? screen
  const place = groupOf(top, me?.user.type)
  const group = groupsOf(l).find(({ key }) => key === place)
  const subject = me && tabsBeside(me, top).length ? top.menu?.subject : undefined
  const title = item === null ? titleOf(screen, l) : typeof item === 'string' ? item : nameOf(item, l)
  const steps = [
    // A group that is called as its first screen is said once.
    ...(group && !subject && group.title !== (chain[0] ? titleOf(chain[0], l) : title)
      ? [{ title: group.title, href: null }]
      : []),
    ...(subject ? [{ title: subjectTitle(subject, l), href: null }] : []),
    ...chain.map((parent) => ({
      title: titleOf(parent, l),
      href: me?.opens(parent) ? addressFrom(parent, params) : null,
    })),
    { title, href: null },
  ]
    // Two steps of one name are one to whoever reads them.
    .filter((step, i, all) => step.title !== all[i + 1]?.title)
    .slice(-KEPT)
  return (
    <nav aria-label={t('breadcrumbs')} className={`${css.crumbs} ${className ?? ''}`}>
      <ol>
        {steps.map((step, i) => (
          <li key={i}>
            {i > 0 && <IconChevronRight size={14} aria-hidden className="pointing" />}
            {step.href ? (
              <Link to={step.href}>
                <bdi>{step.title}</bdi>
              </Link>
            ) : (
              <span aria-current={i === steps.length - 1 ? 'page' : undefined}>
                <bdi>{step.title}</bdi>
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
