import { IconCheck, IconTag, IconUserPlus, IconX } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useListTerm } from '#areas/study/terms/terms/term-filter.web.tsx'
import type { Row } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import type { ListParts } from '#kit/web/fields/resource-web.ts'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { part } from '#kit/web/later.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { to, useParams } from '#kit/web/router/index.ts'
import css from '../desk/desk.module.css'
import { changeCalls } from '../requests/request.contract.ts'
import { registration } from './registration.contract.ts'
import { STATUS_RIGHTS, statusInput } from './status.rules.ts'
import type { StatusAnswer } from './status.rules.ts'

// Their inputs are more than the list itself needs: they come when a dialog is opened.
const BulkDialog = part(async () => (await import('./bulk.web.tsx')).default)
const StudentDialog = part(async () => (await import('./dialogs.web.tsx')).RegisterStudentDialog)
const StatusDialog = part(async () => (await import('./status.web.tsx')).default)
const Detail = part(async () => (await import('./detail.web.tsx')).default)

type RegistrationRow = Row<typeof registration> & AnyRow
const F = registration.fields

const COLUMNS: readonly Column<RegistrationRow>[] = [
  {
    key: 'student_id',
    label: F.student_id.label,
    sort: 'student_code',
    width: 260,
    cell: (row) => (
      <span className={css.cellName}>
        <Name row={row.student} />
        <small>
          <Code>{row.student_code}</Code>
        </small>
      </span>
    ),
    exports: ['student_id', 'student_code'],
  },
  {
    key: 'course_id',
    label: F.course_id.label,
    sort: 'course_code',
    width: 240,
    cell: (row) => (
      <span className={css.cellName}>
        <Name row={row.course} />
        <small>
          <Code>{row.course_code}</Code>
        </small>
      </span>
    ),
    exports: ['course_id', 'course_code'],
  },
  { key: 'group_number', label: F.group_number.label, field: F.group_number },
  { key: 'state', label: F.state.label, field: F.state, sort: true, width: 170 },
  { key: 'attempt', label: F.attempt.label, field: F.attempt },
  { key: 'credit_hours', label: F.credit_hours.label, field: F.credit_hours, sort: true },
  { key: 'program_id', label: F.program_id.label, field: F.program_id },
  { key: 'level', label: F.level.label, field: F.level, sort: true },
  { key: 'term_id', label: F.term_id.label, field: F.term_id, hidden: true },
  {
    key: 'letter',
    label: F.letter.label,
    sort: true,
    hidden: true,
    width: 120,
    cell: (row) =>
      row.rating ? <Name row={{ name: row.rating, name_local: row.rating_local }} /> : <Code>{row.letter}</Code>,
  },
  { key: 'total', label: F.total.label, field: F.total, sort: true, hidden: true },
  { key: 'advisor_id', label: F.advisor_id.label, field: F.advisor_id, hidden: true },
  { key: 'created_at', label: F.created_at.label, field: F.created_at, sort: true },
]
const filters = Object.fromEntries(
  (registration.list.filters as (keyof typeof F)[])
    .filter((name) => name !== 'offering_id' && name !== 'term_id')
    .map((name) => [name, F[name]]),
)
const view = (key: string, label: readonly [string, string], value: object) => ({
  key,
  label,
  query: `filters=${encodeURIComponent(JSON.stringify(value))}`,
})
const VIEWS = [
  view('waiting', ['Waiting requests', 'طلبات منتظرة'], {
    state: ['RegisterRequest', 'AddRequest', 'DropRequest', 'WithdrawRequest', 'ExcuseRequest'],
  }),
  view('registered', ['Registered', 'مسجل'], { state: ['Registered'] }),
  view('left', ['Left', 'تركوا المقرر'], { state: ['Dropped', 'Withdrawn', 'ForcedWithdrawn', 'Excused'] }),
]

/** Registrations of the university: who asks for what, who is registered, and one of them in full. */
export default function Registrations() {
  const { id } = useParams()
  if (/^[1-9]\d{0,8}$/.test(id ?? '')) {
    return (
      <Suspense fallback={null}>
        <Detail id={Number(id)} />
      </Suspense>
    )
  }
  return <ResourceList web={web} />
}

/** Requests decided for many, students registered, enrolled, removed and exempted. */
function useParts(): ListParts<RegistrationRow> {
  const t = useT('registration')
  const me = useMe()
  const { send } = useChange()
  const [dialog, setDialog] = useState<'student' | 'enroll' | 'remove' | 'exempt' | null>(null)
  const [setting, setSetting] = useState<{ decide: (answer: StatusAnswer | null) => void; whom: Concerned } | null>(
    null,
  )
  const accept = me.can('accept_registration')
  const term = useListTerm()
  return {
    ...term,
    actions: (row) =>
      row.student_id === null
        ? []
        : [
            {
              key: 'desk',
              label: t('open_registration'),
              href: to('/advising/registration/:id', { id: row.student_id }, { term: row.term_id }),
            },
          ],
    bulk: [
      ...(accept
        ? [
            {
              key: 'accept',
              label: t('accept'),
              icon: <IconCheck size={14} />,
              heavy: true,
              confirm: (count: number) => ({ title: t('accept_question', { count }), action: t('accept') }),
              each: (id: number) => send(changeCalls.accept, { body: { registration_ids: [id] } }),
            },
            {
              key: 'reject',
              label: t('reject'),
              icon: <IconX size={14} />,
              tone: 'refused' as const,
              asks: true,
              run: async (ids: readonly number[], whom: Concerned) => {
                const reason = await askReason({
                  title: t('reject_question', { count: ids.length }),
                  text: t('reject_text'),
                  action: t('reject'),
                  danger: true,
                  whom,
                  heavy: true,
                })
                if (reason === null) return { done: [], failed: [] }
                const done: number[] = []
                const failed: { id: number; errors: never[] }[] = []
                for (const id of ids) {
                  await send(changeCalls.reject, { body: { registration_ids: [id], reason } }).then(
                    () => done.push(id),
                    (error: { errors?: never[] }) => failed.push({ id, errors: error.errors ?? [] }),
                  )
                }
                return { done, failed }
              },
            },
          ]
        : []),
      ...(me.can(...STATUS_RIGHTS)
        ? [
            {
              key: 'status',
              label: t('set_status'),
              icon: <IconTag size={14} />,
              asks: true,
              run: async (ids: readonly number[], whom: Concerned) => {
                const answer = await new Promise<StatusAnswer | null>((decide) => setSetting({ decide, whom }))
                setSetting(null)
                const done: number[] = []
                const failed: { id: number; errors: never[] }[] = []
                for (const id of answer ? ids : []) {
                  await send(changeCalls.updateStatus, statusInput(id, answer!)).then(
                    () => done.push(id),
                    (error: { errors?: never[] }) => failed.push({ id, errors: error.errors ?? [] }),
                  )
                }
                return { done, failed }
              },
            },
          ]
        : []),
    ],
    main: me.can('request_registration', 'enroll_students')
      ? {
          key: 'student',
          label: t('register_student'),
          icon: <IconUserPlus size={16} aria-hidden />,
          onSelect: () => setDialog('student'),
        }
      : null,
    menu: [
      ...(me.can('enroll_students')
        ? [{ key: 'enroll', label: t('bulk_enroll'), onSelect: () => setDialog('enroll') }]
        : []),
      ...(me.can('enroll_students', 'remove_registration')
        ? [{ key: 'remove', label: t('bulk_remove'), onSelect: () => setDialog('remove') }]
        : []),
      ...(me.can('exempt_students')
        ? [{ key: 'exempt', label: t('bulk_exempt'), onSelect: () => setDialog('exempt') }]
        : []),
    ],
    dialogs: (
      <Suspense fallback={null}>
        {dialog === 'student' && <StudentDialog onClose={() => setDialog(null)} />}
        {dialog !== null && dialog !== 'student' && <BulkDialog mode={dialog} onClose={() => setDialog(null)} />}
        {setting && <StatusDialog title={t('set_status')} whom={setting.whom} onAnswer={setting.decide} />}
      </Suspense>
    ),
  }
}

const web = resourceWeb(registration, {
  list: {
    columns: () => COLUMNS as readonly Column[],
    filters,
    views: VIEWS,
    perPage: 50,
    rowName: (row) => `${nameOf(row.student)} · ${row.course_code ?? ''}`,
    rowHref: (row) => to('/registrations/:id', { id: row.id }),
    useParts,
    empty: {
      title: ['No registrations', 'لا توجد تسجيلات'],
      text: ['Registrations appear here when students ask for courses.', 'تظهر التسجيلات هنا عندما يطلب الطلاب مقررات.'],
    },
  },
})
