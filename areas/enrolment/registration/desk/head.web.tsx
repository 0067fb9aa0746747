import { Menu } from '@mantine/core'
import { IconChecklist, IconFileText, IconPrinter } from '@tabler/icons-react'
import { download } from '#kit/web/api/index.ts'
import { Bdi, Code, Name, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { nameOf, paperLanguageOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, screenAt, to } from '#kit/web/router/index.ts'
import { paperCalls } from '../records/papers.contract.ts'
import type { Requested } from '../requests/request.contract.ts'
import type { DeskState } from './use-desk.web.ts'
import css from './desk.module.css'

type Student = NonNullable<Requested['student']>

/** Who registers, in which program and term. */
export function DeskSubtitle({ own, requested, student }: { own: boolean; requested: Requested; student: Student }) {
  const t = useT('registration')
  const lang = useLanguage()
  return (
    <span className={css.subtitle}>
      {!own && (
        <>
          <Code>{student.code}</Code> · <Name row={student.program} /> ·{' '}
        </>
      )}
      {requested.term ? <Bdi>{nameOf(requested.term, lang)}</Bdi> : t('no_term')}
      {own && student.advisor && (
        <>
          {' · '}
          {t('labelled', { label: t('advisor') })} <Name row={student.advisor} />
        </>
      )}
    </span>
  )
}

/** Papers and pages about the student's registration. */
export function DeskMenu({ desk: { own, inTerm }, student }: { desk: DeskState; student: Student }) {
  const t = useT('registration')
  return (
    <>
      <Menu.Item
        component={Link}
        leftSection={<IconChecklist size={15} />}
        to={own ? to('/offering/preflight') : to('/registration_preflight/:id', { id: student.id })}
      >
        {t('preflight')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconPrinter size={15} />}
        onClick={() =>
          void withOverlay(
            download(paperCalls.form, {
              params: { student_id: student.id, lang: paperLanguageOf() },
              query: inTerm,
            }),
          ).catch(notify.error)
        }
      >
        {t('print_form')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconFileText size={15} />}
        onClick={() =>
          void withOverlay(
            download(paperCalls.audit, { params: { id: student.id }, body: { lang: paperLanguageOf() } }),
          ).catch(notify.error)
        }
      >
        {t('print_audit')}
      </Menu.Item>
      {!own && screenAt('/students/:id') && (
        <Menu.Item component={Link} to={to('/students/:id', { id: student.id })}>
          {t('open_student')}
        </Menu.Item>
      )}
    </>
  )
}
