import { Button } from '@mantine/core'
import type { Row } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, notify } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { rowsInColumns } from '../rows.web.tsx'
import { exam, examCalls, examFlow, examSteps } from './exam.contract.ts'
import { boardCss as css } from '#kit/web/timetable/board.tsx'

type Exam = Row<typeof exam>

/** The board in a word: it is what an exam is mostly opened for. */
function ToBoard({ id }: { readonly id: number }) {
  const t = useT('exams')
  const me = useMe()
  return me.can('access_examSchedule') ? <Link to={to('/exams/board/:id', { id })}>{t('board')}</Link> : '–'
}

/** The way to the board, and covering offerings. */
function Board({ row }: { readonly row: Exam }) {
  const t = useT('exams')
  const me = useMe()
  const { busy, go, send } = useChange('/exams', '/exam-schedules')
  const cover = async () => {
    const done = await go(() => send(examCalls.covered, { params: { id: row.id }, body: {} }))
    if (done) notify.done(t('covered', { count: done.answer.data.added }))
  }
  return (
    <div className={css.tools}>
      <Button component={Link} to={to('/exams/board/:id', { id: row.id })}>
        {t('board')}
      </Button>
      {row.status === 'draft' && me.can('add_examSchedule') && (
        <Button variant="default" loading={busy} onClick={() => void cover()}>
          {t('cover')}
        </Button>
      )}
    </div>
  )
}
const useExamSteps = () =>
  useSteps(examFlow, examSteps, { name: (row: Exam) => row.code, refreshes: ['/exams', '/exam-schedules'] })

export default resourceWeb(exam, {
  list: {
    useParts: () => {
      const steps = useExamSteps()
      return { actions: steps.actions }
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
    figures: (row) => [
      {
        label: ['Placed', 'مجدول'],
        value: <Code>{`${formatNumber(row.placed ?? 0)} / ${formatNumber(row.schedules ?? 0)}`}</Code>,
      },
      { label: ['Schedule', 'الجدول'], value: <ToBoard id={row.id} /> },
    ],
    useActions: () => useExamSteps().actions,
    panels: [
      { key: 'board', title: ['Schedule', 'الجدول'], tab: false, permission: 'access_examSchedule', Content: Board },
    ],
  },
})
