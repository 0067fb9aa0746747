import { useState } from 'react'
import { IconClipboardList, IconPrinter } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Identity, ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { screenAt, to } from '#kit/web/router/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { GradesOfStudent } from '../record/grades.web.tsx'
import { History } from '../record/history.web.tsx'
import { Overview } from '../record/overview.web.tsx'
import { academicRecordCalls } from '../record/record.contract.ts'
import { Audit } from '../study-plan/audit.web.tsx'
import { PrintTranscript } from '../transcript/print.web.tsx'
import { StandingText, StudentStatusBadge, passedText, yearFigures } from '../words.web.tsx'

/** A student's own record: at a glance, grades, plan, history. */
export default function Academic() {
  const t = useT('students')
  const say = useLabel()
  const lang = useLanguage()
  const { data, error, refetch } = useCall(academicRecordCalls.dashboard)
  const [printing, setPrinting] = useState(false)
  const dashboard = data?.data
  if (error && !dashboard) {
    return (
      <Page title={t('my_record')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  if (!dashboard) {
    return (
      <Page title={t('my_record')}>
        <Stack>
          <Bone height={86} />
          <Bone height={320} />
        </Stack>
      </Page>
    )
  }
  const { student: person, standing, classification } = dashboard
  const print: RowAction = {
    key: 'transcript',
    label: t('transcript'),
    icon: <IconPrinter size={16} aria-hidden />,
    onSelect: () => setPrinting(true),
  }
  const screen = screenAt('/offering/registration')
  const register: RowAction | null =
    screen && may(screen.permission)
      ? {
          key: 'register',
          label: t('register'),
          icon: <IconClipboardList size={16} aria-hidden />,
          href: to('/offering/registration'),
        }
      : null
  return (
    <Page
      title={t('my_record')}
      subtitle={
        <Dotted>
          <bdi>{nameOf(person.program, lang)}</bdi>
          <bdi>{nameOf(person.faculty, lang)}</bdi>
        </Dotted>
      }
      action={<MainButton action={register ?? print} />}
      menu={register ? <MenuItems actions={[print]} /> : undefined}
    >
      <Identity
        row={person}
        status={
          <>
            <StudentStatusBadge value={person.status} />
            {standing && standing !== 'good' && <StandingText value={standing} />}
            {classification && <bdi>{nameOf(classification, lang)}</bdi>}
          </>
        }
        line={
          person.advisor && (
            <span>
              {t('labelled', { label: t('advisor') })} <Name row={person.advisor} />
            </span>
          )
        }
        figures={[
          { label: t('level'), value: formatNumber(person.level) },
          ...(person.by_marks
            ? yearFigures(dashboard.year, say)
            : [
                {
                  label: t(person.revised ? 'gpa_revised' : 'gpa'),
                  value: <Code>{formatNumber(person.gpa, 2) || '–'}</Code>,
                },
                {
                  label: t('passed_hours'),
                  value: (
                    <Code>{`${passedText({ passed: person.passed_hours, since: dashboard.hours?.since })} / ${formatNumber(dashboard.hours?.required)}`}</Code>
                  ),
                },
              ]),
          ...((person.warnings ?? 0) > 0 ? [{ label: t('warnings'), value: formatNumber(person.warnings) }] : []),
        ]}
      />
      <ScreenTabs
        tabs={[
          { key: 'overview', label: t('overview'), content: () => <Overview data={dashboard} own /> },
          { key: 'grades', label: t('grades'), content: () => <GradesOfStudent /> },
          { key: 'plan', label: t('study_plan'), content: () => <Audit /> },
          { key: 'history', label: t('registration_history'), content: () => <History /> },
        ]}
      />
      {printing && <PrintTranscript id={person.id} all={false} own onClose={() => setPrinting(false)} />}
    </Page>
  )
}
