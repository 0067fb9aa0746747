import { Suspense, useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Identity, ScreenTabs } from '#kit/web/detail/parts.tsx'
import { PersonPhoto } from '#kit/web/detail/person-photo.tsx'
import { Code, Failed, Name, Status, useShortcut } from '#kit/web/feedback/index.ts'
import { Chip } from '#kit/web/fields/chip.tsx'
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { part } from '#kit/web/later.ts'
import { to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { DebtHold } from '../standing/held.web.tsx'
import { academicRecordCalls } from '../record/record.contract.ts'
import type { StudentDashboard } from '../record/record.contract.ts'
import { BlockStudentDialog } from '../standing/block.web.tsx'
import { PrintTranscript } from '../transcript/print.web.tsx'
import { StandingText, StudentStatusBadge, passedText, yearFigures } from '../words.web.tsx'
import { useStudentActions, type StudentActionDialog } from './actions.web.tsx'
import { useStudentTabs } from './tabs.web.tsx'

const SharesOf = part(async () => (await import('../shares/staff.web.tsx')).SharesOf)
const StatusOfStudent = part(async () => (await import('../standing/status.web.tsx')).StatusOfStudent)
const TagsOfStudent = part(async () => (await import('../tags/tags-dialog.web.tsx')).TagsOfStudent)

/** Everything about one student: at a glance, data, grades, plan, timetable, history, notes, papers. */
export default function StudentScreen() {
  const id = Number(useParams().id)
  const t = useT('students')
  const navigate = useNavigate()
  const lang = useLanguage()
  const { data, error, refetch } = useCall(academicRecordCalls.dashboardOf, { params: { id } })
  const [dialog, setDialog] = useState<StudentActionDialog | null>(null)
  const actionsOf = useStudentActions(setDialog, refetch)
  const tabsOf = useStudentTabs()
  const dashboard = data?.data
  const able = (ability: string) => dashboard?.abilities.includes(ability) ?? false
  const editHref = able('edit') ? to('/students/edit/:id/:details', { id, details: 'personal' }) : null
  useShortcut('e', () => editHref && void navigate(editHref), editHref ? t('edit') : null)
  useShortcut('p', () => setDialog('transcript'), able('print_transcript') ? t('transcript') : null)

  if (error && !dashboard) {
    return (
      <Page title={t('student')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  if (!dashboard) {
    return (
      <Page title={null}>
        <Stack>
          <Bone height={86} />
          <Bone height={320} />
        </Stack>
      </Page>
    )
  }
  const person = dashboard.student
  const { main, menu } = actionsOf(dashboard, editHref)
  return (
    <Page
      title={person}
      subtitle={
        <Dotted>
          <bdi>{nameOf(person.faculty, lang)}</bdi>
          <bdi>{nameOf(person.program, lang)}</bdi>
        </Dotted>
      }
      action={main ? <MainButton action={main} /> : undefined}
      menu={menu.length ? <MenuItems actions={menu} /> : undefined}
    >
      <Band data={dashboard} />
      <DebtHold id={id} />
      <ScreenTabs tabs={tabsOf(dashboard)} />
      {dialog === 'shares' && (
        <Suspense>
          <SharesOf student={person} onClose={() => setDialog(null)} />
        </Suspense>
      )}
      {dialog === 'block' && (
        <BlockStudentDialog student={person} blocked={person.blocked_at !== null} onClose={() => setDialog(null)} />
      )}
      {dialog === 'status' && (
        <Suspense fallback={null}>
          <StatusOfStudent student={person} onClose={() => setDialog(null)} />
        </Suspense>
      )}
      {dialog === 'tags' && (
        <Suspense fallback={null}>
          <TagsOfStudent student={person} tags={person.tags ?? []} onClose={() => setDialog(null)} />
        </Suspense>
      )}
      {dialog === 'transcript' && <PrintTranscript id={id} all={able('print_all')} onClose={() => setDialog(null)} />}
    </Page>
  )
}

/** Who it is, and how the student stands. */
function Band({ data }: { data: StudentDashboard }) {
  const t = useT('students')
  const say = useLabel()
  const { student: person } = data
  return (
    <Identity
      titled
      row={person}
      photo={<PersonPhoto kind="student" person={person} />}
      status={<BandStatus data={data} />}
      line={
        person.advisor ? (
          <span>
            {t('labelled', { label: t('advisor') })} <Name row={person.advisor} />
          </span>
        ) : (
          <span>{t('no_advisor')}</span>
        )
      }
      figures={[
        { label: t('level'), value: formatNumber(person.level) },
        // How the student stands is told with the record.
        ...yearFigures(data.year, say),
        ...(data.hours
          ? [
              {
                label: t(person.revised ? 'gpa_revised' : 'gpa'),
                value: <Code>{formatNumber(person.gpa, 2) || '–'}</Code>,
              },
              {
                label: t('passed_hours'),
                value: <Code>{`${passedText(data.hours)} / ${formatNumber(data.hours.required)}`}</Code>,
              },
            ]
          : []),
        ...(person.warnings !== null && person.warnings > 0
          ? [{ label: t('warnings'), value: formatNumber(person.warnings) }]
          : []),
      ]}
    />
  )
}

function BandStatus({ data }: { data: StudentDashboard }) {
  const t = useT('students')
  const lang = useLanguage()
  const { student: person, standing, classification } = data
  return (
    <>
      {person.removed ? (
        <Status is="removed" label={t('removed_status')} />
      ) : (
        <StudentStatusBadge value={person.status} />
      )}
      {person.blocked_at && <Status is="blocked" label={t('blocked_status')} />}
      {standing && standing !== 'good' && <StandingText value={standing} />}
      {person.tags?.map((tag) => (
        <Chip key={tag.id} colour={tag.colour ?? 'grey'}>
          {nameOf(tag, lang)}
        </Chip>
      ))}
      {classification && <bdi>{nameOf(classification, lang)}</bdi>}
    </>
  )
}
