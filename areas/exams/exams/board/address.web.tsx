import { useEffect } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { examBoardCalls } from './board.contract.ts'
import { ExamBoard } from './board.web.tsx'

/**
 * The board by its own address: it is the page of the exam, where that leads. Who may see schedules and not the exam's record
 * has the board alone.
 */
export default function BoardAddress() {
  const t = useT('exams')
  const lang = useLanguage()
  const me = useMe()
  const navigate = useNavigate()
  const id = Number(useParams().id)
  const hasPage = me.can('show_exam')
  const { data } = useCall(examBoardCalls.board, { body: { exam_id: id } }, { enabled: !hasPage })
  useEffect(() => {
    if (hasPage) void navigate(to('/exams/:id', { id }), { replace: true })
  }, [hasPage, id, navigate])
  if (hasPage) return <Page title={null}>{null}</Page>
  const exam = data?.data.exam
  return (
    <Page title={exam ? nameOf(exam, lang) : t('board')} subtitle={exam?.code ?? '\u00A0'}>
      <ExamBoard id={id} isDraft={exam?.movable ?? false} />
    </Page>
  )
}
