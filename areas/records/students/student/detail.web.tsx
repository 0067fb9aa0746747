import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import {
  IconArrowBackUp,
  IconBan,
  IconReplace,
  IconReportMoney,
  IconClipboardList,
  IconEyeShare,
  IconLockOpen,
  IconPencil,
  IconPrinter,
  IconTag,
  IconTrash,
} from '@tabler/icons-react'
import { WeekOf } from '#areas/study/scheduling/timetables/week.web.tsx'
import { f } from '#kit/contract/field.ts'
import { resourceCalls } from '#kit/contract/resource.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { accountActions } from '#kit/web/auth/account-actions.tsx'
import { may } from '#kit/web/auth/index.ts'
import { PersonPhoto } from '#kit/web/detail/person-photo.tsx'
import { FactsOf, HistoryOf, Identity, ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name, Status, notify, useShortcut } from '#kit/web/feedback/index.ts'
import { Chip } from '#kit/web/fields/chip.tsx'
import { Form } from '#kit/web/form/form.tsx'
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useRemoving } from '#kit/web/list/resource-list.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { part } from '#kit/web/later.ts'
import { Link, screenAt, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import { documentsOfPerson } from '#areas/people/people/outlets.contract.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { Grades } from '../record/grades.web.tsx'
import { History } from '../record/history.web.tsx'
import { Overview } from '../record/overview.web.tsx'
import { DebtHold } from '../standing/held.web.tsx'
import { recordCalls } from '../record/record.contract.ts'
import type { Dashboard } from '../record/record.contract.ts'
import { sectionCalls } from '../sections/section.contract.ts'
import { BlockStudent } from '../standing/block.web.tsx'
import css from '../students.module.css'
import { Audit } from '../study-plan/audit.web.tsx'
import { Papers, PrintTranscript } from '../transcript/print.web.tsx'
import { Standing, StudentStatus, passedText, yearFigures } from '../words.web.tsx'
import { STUDENT_SECTIONS, isChanged, student } from './student.contract.ts'
import web from './student.web.tsx'

const calls = resourceCalls(student)
const NamesOf = part(async () => (await import('#areas/people/people/names/names.web.tsx')).NamesOf)
const ScholarshipsOf = part(
  async () => (await import('#areas/money/fees/scholarships/of-student.web.tsx')).ScholarshipsOf,
)
const DocumentsOf = filled(documentsOfPerson)
const SharesOf = part(async () => (await import('../shares/staff.web.tsx')).SharesOf)
const StatusOfStudent = part(async () => (await import('../standing/status.web.tsx')).StatusOfStudent)
const TagsOfStudent = part(async () => (await import('../tags/tags-dialog.web.tsx')).TagsOfStudent)

/** Everything about one student: at a glance, data, grades, plan, timetable, history, notes, papers. */
export default function StudentScreen() {
  const id = Number(useParams().id)
  const t = useT('students')
  const say = useLabel()
  const navigate = useNavigate()
  const lang = useLanguage()
  const { data, error, refetch } = useCall(recordCalls.dashboardOf, { params: { id } })
  const [dialog, setDialog] = useState<'block' | 'status' | 'transcript' | 'tags' | 'shares' | null>(null)
  const { remove, restore } = useRemoving(web)
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
  const attempt = (work: Promise<unknown>) =>
    void work.then(() => refetch()).catch((problem: unknown) => notify.error(problem))
  const transcript: RowAction = {
    key: 'transcript',
    label: t('transcript'),
    icon: <IconPrinter size={16} aria-hidden />,
    onSelect: () => setDialog('transcript'),
  }
  const edit: RowAction | null = editHref
    ? { key: 'edit', label: t('edit'), icon: <IconPencil size={16} aria-hidden />, href: editHref }
    : null
  const registration = screenAt('/advising/registration/:id')
  const statement = screenAt('/ledger/statements/:student_id')
  const menu: RowAction[] = [
    ...(able('print_transcript') && edit ? [transcript] : []),
    ...(registration && may(registration.permission) && able('register')
      ? [
          {
            key: 'register',
            label: t('open_registration'),
            icon: <IconClipboardList size={15} />,
            href: to('/advising/registration/:id', { id }),
          },
        ]
      : []),
    ...(statement && able('statement')
      ? [
          {
            key: 'statement',
            label: t('statement'),
            icon: <IconReportMoney size={15} />,
            href: to('/ledger/statements/:student_id', { student_id: id }),
          },
        ]
      : []),
    ...(able('attach_tag') && person.tags
      ? [{ key: 'tags', label: t('tags'), icon: <IconTag size={15} />, onSelect: () => setDialog('tags') }]
      : []),
    ...(able('change_status')
      ? [
          {
            key: 'status',
            label: t('status_open'),
            icon: <IconReplace size={15} />,
            onSelect: () => setDialog('status'),
          },
        ]
      : []),
    ...(able('block')
      ? [
          {
            key: 'block',
            label: t('block'),
            icon: <IconBan size={15} />,
            tone: 'refused' as const,
            onSelect: () => setDialog('block'),
          },
        ]
      : []),
    ...(able('unblock')
      ? [{ key: 'unblock', label: t('unblock'), icon: <IconLockOpen size={15} />, onSelect: () => setDialog('block') }]
      : []),
    ...(able('edit')
      ? [
          {
            key: 'shares',
            label: t('shares_seen'),
            icon: <IconEyeShare size={15} />,
            onSelect: () => setDialog('shares'),
          },
        ]
      : []),
    ...accountActions('student', { ...person, blocked_at: null }),
    ...(able('remove') && !person.removed
      ? [
          {
            key: 'remove',
            label: t('remove'),
            icon: <IconTrash size={15} />,
            tone: 'refused' as const,
            onSelect: () => attempt(remove(person)),
          },
        ]
      : []),
  ]
  const main: RowAction | null =
    person.removed && able('restore')
      ? {
          key: 'restore',
          label: t('restore'),
          icon: <IconArrowBackUp size={16} className="pointing" aria-hidden />,
          onSelect: () => attempt(restore(person)),
        }
      : (edit ?? (able('print_transcript') ? transcript : null))
  const record = able('record')
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
      <Identity
        titled
        row={person}
        photo={<PersonPhoto kind="student" person={person} />}
        status={<BandStatus data={dashboard} />}
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
          ...yearFigures(dashboard.year, say),
          ...(dashboard.hours
            ? [
                {
                  label: t(person.revised ? 'gpa_revised' : 'gpa'),
                  value: <Code>{formatNumber(person.gpa, 2) || '–'}</Code>,
                },
                {
                  label: t('passed_hours'),
                  value: <Code>{`${passedText(dashboard.hours)} / ${formatNumber(dashboard.hours.required)}`}</Code>,
                },
              ]
            : []),
          ...(person.warnings !== null && person.warnings > 0
            ? [{ label: t('warnings'), value: formatNumber(person.warnings) }]
            : []),
        ]}
      />
      <DebtHold id={id} />
      <ScreenTabs
        tabs={[
          ...(record ? [{ key: 'overview', label: t('overview'), content: () => <Overview data={dashboard} /> }] : []),
          { key: 'data', label: t('personal_data'), content: () => <PersonalData id={id} editable={able('edit')} /> },
          ...(able('documents')
            ? [
                {
                  key: 'documents',
                  label: t('documents'),
                  content: () => (
                    <Suspense fallback={<Bone height={200} />}>
                      <DocumentsOf id={id} />
                    </Suspense>
                  ),
                },
              ]
            : []),
          ...(record
            ? [
                { key: 'grades', label: t('grades'), content: () => <Grades id={id} /> },
                { key: 'plan', label: t('study_plan'), content: () => <Audit id={id} /> },
              ]
            : []),
          ...(may('access_schedule')
            ? [{ key: 'timetable', label: t('timetable'), content: () => <WeekOf type="student" id={id} /> }]
            : []),
          ...(record ? [{ key: 'history', label: t('registration_history'), content: () => <History id={id} /> }] : []),
          ...(may('access_scholarship')
            ? [
                {
                  key: 'scholarships',
                  label: t('scholarships'),
                  content: () => (
                    <Suspense fallback={<Bone height={200} />}>
                      <ScholarshipsOf student={id} />
                    </Suspense>
                  ),
                },
              ]
            : []),
          ...(able('edit_notes') || (record && person.notes)
            ? [
                {
                  key: 'notes',
                  label: t('notes'),
                  content: () => <Notes key={person.version} data={dashboard} editable={able('edit_notes')} />,
                },
              ]
            : []),
          ...(record || able('print_transcript')
            ? [{ key: 'papers', label: t('papers'), content: () => <Papers id={id} /> }]
            : []),
        ]}
      />
      {dialog === 'shares' && (
        <Suspense>
          <SharesOf student={person} onClose={() => setDialog(null)} />
        </Suspense>
      )}
      {dialog === 'block' && (
        <BlockStudent student={person} blocked={person.blocked_at !== null} onClose={() => setDialog(null)} />
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

function BandStatus({ data }: { data: Dashboard }) {
  const t = useT('students')
  const lang = useLanguage()
  const { student: person, standing, classification } = data
  return (
    <>
      {person.removed ? <Status is="removed" label={t('removed_status')} /> : <StudentStatus value={person.status} />}
      {person.blocked_at && <Status is="blocked" label={t('blocked_status')} />}
      {standing && standing !== 'good' && <Standing value={standing} />}
      {person.tags?.map((one) => (
        <Chip key={one.id} colour={one.colour ?? 'grey'}>
          {nameOf(one, lang)}
        </Chip>
      ))}
      {classification && <bdi>{nameOf(classification, lang)}</bdi>}
    </>
  )
}

/** The sections of a student's data, each with its way to change it, and what was changed before. */
function PersonalData({ id, editable }: { id: number; editable: boolean }) {
  const t = useT('students')
  const tk = useT('kit-screens')
  const say = useLabel()
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  const row = data?.data as unknown as Record<string, unknown> | undefined
  if (error && !row) return <Failed error={error} retry={() => void refetch()} />
  if (!row) return <Bone height={320} />
  return (
    <Stack>
      <Suspense fallback={<Bone height={220} />}>
        <NamesOf kind="student" id={id} />
      </Suspense>
      {STUDENT_SECTIONS.map((section) => (
        <Card
          key={section.key}
          title={say(section.title)}
          aside={
            editable &&
            isChanged(section) && (
              <Button
                component={Link}
                to={to('/students/edit/:id/:details', { id, details: section.key })}
                variant="subtle"
                size="compact-sm"
                leftSection={<IconPencil size={14} aria-hidden />}
                aria-label={t('edit_section', { section: say(section.title) })}
              >
                {t('edit')}
              </Button>
            )
          }
        >
          <FactsOf fields={student.fields} row={row} names={section.fields} />
        </Card>
      ))}
      {may('show_students') && (
        <Card title={tk('history')}>
          <HistoryOf call={calls.history} params={{ id }} fields={student.fields} />
        </Card>
      )}
    </Stack>
  )
}

const NOTES = { notes: f.longText(['Notes', 'ملاحظات'], { help: ['Seen by staff only', 'لا يراها إلا العاملون'] }) }

function Notes({ data: { student: person }, editable }: { data: Dashboard; editable: boolean }) {
  const t = useT('students')
  const { send } = useChange('/students')
  if (!editable) {
    return (
      <Card>
        <div style={{ whiteSpace: 'pre-wrap' }} dir="auto">
          {person.notes}
        </div>
      </Card>
    )
  }
  return (
    <div className={css.notes}>
      <Form
        fields={NOTES}
        values={{ notes: person.notes, version: person.version }}
        submit={t('save_notes')}
        onSave={async (values, _changed, version) =>
          send(sectionCalls.updateNotes, {
            params: { id: person.id },
            body: { notes: (values.notes as string | null) || null, version },
          })
        }
        onSaved={() => {
          notify.done(t('notes_saved'))
        }}
      />
    </div>
  )
}
