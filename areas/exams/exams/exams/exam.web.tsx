import { IconArmchair, IconListDetails, IconPlaylistAdd, IconSend } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import type { Row } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part, partDialog } from '#kit/web/later.ts'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { screenAt } from '#kit/web/router/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { publishingCalls } from '../publishing/publishing.contract.ts'
import type { ToPublish } from '../publishing/publish.web.tsx'
import { rowsInColumns } from '../rows.web.tsx'
import { exam, examCalls, examFlow, examSteps } from './exam.contract.ts'
import css from '../board/board.module.css'

type Exam = Row<typeof exam>

const Board = part(async () => (await import('../board/board.web.tsx')).ExamBoard)
const Invigilators = part(async () => (await import('../placement/invigilators.web.tsx')).InvigilatorsPanel)
const PublishDialog = partDialog(async () => (await import('../publishing/publish.web.tsx')).PublishDialog)

/** The steps of an exam; publishing opens what it would do, instead of a question without figures. */
function useExamSteps(): {
  actions: (row: Exam) => RowAction[]
  publish: (row: Exam) => RowAction | null
  dialogs: ReactNode
} {
  const me = useMe()
  const steps = useSteps(examFlow, examSteps, {
    name: (row: Exam) => row.code,
    refreshes: ['/exams', '/exam-schedules'],
  })
  const [toPublish, setToPublish] = useState<ToPublish | null>(null)
  const actions = (row: Exam) =>
    steps.actions(row).map((action): RowAction => {
      // What stands against it is told in its dialog, exam by exam.
      if (action.key !== 'publish' || !me.can('access_examSchedule')) return action
      const { disabled: _disabled, ...open } = action
      return {
        ...open,
        icon: <IconSend size={16} className="pointing" aria-hidden />,
        onSelect: () => setToPublish({ id: row.id, version: row.version, name: row.name, name_local: row.name_local }),
      }
    })
  return {
    actions,
    publish: (row) => actions(row).find(({ key }) => key === 'publish') ?? null,
    dialogs: toPublish && <PublishDialog exam={toPublish} onClose={() => setToPublish(null)} />,
  }
}

/** What else is done with an exam: its offerings put in, and where its days go on. */
function useExamMenu() {
  const t = useT('exams')
  const me = useMe()
  const { go, send } = useChange('/exams', '/exam-schedules')
  const seats = screenAt('/exams_seats')
  const cover = async (row: Exam) => {
    const done = await go(() => send(examCalls.covered, { params: { id: row.id }, body: {} }))
    if (done) notify.done(t('covered', { count: done.answer.data.added }))
  }
  return (row: Exam): RowAction[] => [
    ...(row.status === 'draft' && me.can('add_examSchedule')
      ? [
          {
            key: 'cover',
            label: t('cover'),
            icon: <IconPlaylistAdd size={15} aria-hidden />,
            onSelect: () => void cover(row),
          },
        ]
      : []),
    ...(me.can('access_examSchedule')
      ? [
          {
            key: 'list',
            label: t('as_list'),
            icon: <IconListDetails size={15} aria-hidden />,
            href: `/exams_schedules?filters=${encodeURIComponent(JSON.stringify({ exam_id: [row.id] }))}`,
          },
        ]
      : []),
    ...(seats && me.opens(seats)
      ? [
          {
            key: 'seats',
            label: t('seats_of'),
            icon: <IconArmchair size={15} aria-hidden />,
            href: `/exams_seats?exam_id=${row.id}`,
          },
        ]
      : []),
  ]
}

/** A figure of what is published. */
function Figure({ id, of }: { readonly id: number; readonly of: 'students' | 'lacking' }) {
  const t = useT('exams')
  const { data } = useCall(publishingCalls.publishing, { params: { id } })
  const found = data?.data
  if (!found) return '–'
  if (of === 'students') return formatNumber(found.students)
  const { needed, lacking } = found.invigilators
  return (
    <span className={lacking ? css.lacks : undefined}>
      {t('out_of', { count: formatNumber(lacking), of: formatNumber(needed) })}
    </span>
  )
}

const BoardTab = ({ row }: { readonly row: Exam }) => <Board id={row.id} isDraft={row.status === 'draft'} />
const InvigilatorsTab = ({ row }: { readonly row: Exam }) => (
  <Invigilators exam_id={row.id} movable={row.status === 'draft'} />
)
function TermOf({ row }: { readonly row: Exam }) {
  const lang = useLanguage()
  return <bdi>{nameOf(row.term, lang)}</bdi>
}

export default resourceWeb(exam, {
  list: {
    useParts: () => {
      const { actions, dialogs } = useExamSteps()
      return { actions, dialogs }
    },
  },
  cells: {
    days: rowsInColumns,
    times: rowsInColumns,
    halls: rowsInColumns,
    closures: rowsInColumns,
    relations: rowsInColumns,
  },
  detail: {
    facts: (row) => [
      { label: ['Term', 'الفصل الدراسي'], value: <TermOf row={row} /> },
      {
        label: ['Placed', 'مجدول'],
        value: <bdi>{`${formatNumber(row.placed ?? 0)} / ${formatNumber(row.schedules ?? 0)}`}</bdi>,
      },
      { label: ['Students', 'الطلاب'], value: <Figure id={row.id} of="students" /> },
      { label: ['Invigilators lacking', 'مراقبون ناقصون'], value: <Figure id={row.id} of="lacking" /> },
    ],
    useMain: () => {
      const { publish, dialogs } = useExamSteps()
      const more = useExamMenu()
      // Once it is published, seats are what comes next.
      const seats = (row: Exam) => more(row).find(({ key }) => key === 'seats') ?? null
      return { main: (row) => publish(row) ?? (row.status === 'published' ? seats(row) : null), dialogs }
    },
    useActions: () => {
      const { actions } = useExamSteps()
      const more = useExamMenu()
      return (row) => [...actions(row), ...more(row)]
    },
    panels: [
      { key: 'board', title: ['Board', 'اللوحة'], first: true, permission: 'access_examSchedule', Content: BoardTab },
      {
        key: 'invigilators',
        title: ['Invigilators', 'المراقبون'],
        permission: 'access_examSchedule',
        Content: InvigilatorsTab,
      },
    ],
  },
})
