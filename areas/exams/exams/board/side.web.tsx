import { Button, CloseButton } from '@mantine/core'
import { useCall } from '#kit/web/api/index.ts'
import { formatList, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { boardCss } from '#kit/web/timetable/board.tsx'
import { examBoardCalls } from './board.contract.ts'
import type { Exam, ExamBoardState } from './use-exam-board.web.ts'
import css from './board.module.css'

/** Beside the board: the exam that is looked at, what it meets where it is, and what can be done with it. */
export function ExamSide({ state }: { readonly state: ExamBoardState }) {
  const t = useT('exams')
  const lang = useLanguage()
  const { board, busy, held, shown, where, told, cellText, effectTexts, setPicked, save } = state
  return (
    <aside className={`${boardCss.side} ${css.side}`} aria-label={t('side')} data-shown={shown !== undefined}>
      {shown ? (
        <>
          <CloseButton className={css.close} aria-label={t('close')} onClick={() => setPicked(null)} />
          <h2>
            <bdi>{shown.name}</bdi> <bdi>{nameOf(shown.course, lang)}</bdi>
          </h2>
          <p>
            {t('students_count', { count: shown.students.length })}
            {where && cellText(where) && ` · ${cellText(where)}`}
          </p>
          {told && (
            <ul className={boardCss.told}>
              {effectTexts(told).map(([tone, text]) => (
                <li key={text} data-tone={tone}>
                  {text}
                </li>
              ))}
            </ul>
          )}
          {told && !held && told.clashes.length > 0 && shown.on_date && shown.exam_slot_id !== null && (
            <Who exam={shown} on_date={shown.on_date} exam_slot_id={shown.exam_slot_id} />
          )}
          {!held && board?.exam.movable && (
            <div className={css.buttons}>
              {shown.on_date !== null && (
                <Button
                  size="xs"
                  variant="default"
                  disabled={busy}
                  onClick={() => void save(shown, { is_locked: !shown.is_locked })}
                >
                  {shown.is_locked ? t('unlock') : t('lock')}
                </Button>
              )}
              {shown.on_date !== null && !shown.is_locked && (
                <Button
                  size="xs"
                  variant="default"
                  disabled={busy}
                  onClick={() => void save(shown, { on_date: null, exam_slot_id: null, locations: [] })}
                >
                  {t('take_off')}
                </Button>
              )}
              <Button size="xs" variant="default" component={Link} to={to('/exam_schedule/:id?', { id: shown.id })}>
                {t('open')}
              </Button>
            </div>
          )}
        </>
      ) : (
        <p>{t('help')}</p>
      )}
    </aside>
  )
}

/** Who has another exam at the same time, as far as the reader may see. */
function Who({ exam, ...at }: { readonly exam: Exam; readonly on_date: string; readonly exam_slot_id: number }) {
  const { data } = useCall(examBoardCalls.clashes, { body: { exam_schedule_id: exam.id, ...at } })
  const lang = useLanguage()
  const names =
    data?.data.flatMap((one) => (one.same_time ? (lang === 'ar' ? one.students_local : one.students) : [])) ?? []
  return names.length ? (
    <p>
      <bdi>{formatList(names, lang)}</bdi>
    </p>
  ) : null
}
