import { Button, CloseButton } from '@mantine/core'
import { useCall } from '#kit/web/api/index.ts'
import { formatList, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { examBoardCalls } from './board.contract.ts'
import type { Exam, ExamBoardState } from './use-exam-board.web.ts'
import css from './board.module.css'

/** Over the board, in a line that is always there: the exam that is looked at or held, what it meets, what can be done with it. */
export function ExamStrip({ state }: { readonly state: ExamBoardState }) {
  const t = useT('exams')
  const lang = useLanguage()
  const { board, busy, held, shown, where, told, cellText, effectTexts, isProposed, setPicked, save } = state
  if (!shown)
    return (
      <aside className={css.strip} aria-label={t('side')}>
        <p>{t(board && !board.exam.movable ? 'help_fixed' : 'help')}</p>
      </aside>
    )
  const texts = told ? effectTexts(told) : []
  return (
    <aside className={css.strip} aria-label={t('side')} data-shown>
      <p className={css.which}>
        <strong>
          <bdi>{shown.name}</bdi>
        </strong>{' '}
        <bdi>{nameOf(shown.course, lang)}</bdi>
        <small>
          {t('students_count', { count: shown.students.length })} · {cellText(where) || t('nowhere')}
        </small>
      </p>
      <ul className={css.meets}>
        {texts.slice(0, 4).map(([tone, text]) => (
          <li key={text} data-tone={tone}>
            {text}
          </li>
        ))}
        {texts.length > 4 && <li>{t('and_others', { count: texts.length - 4 })}</li>}
      </ul>
      {told && !held && told.clashes.length > 0 && shown.on_date && shown.exam_slot_id !== null && (
        <Who exam={shown} on_date={shown.on_date} exam_slot_id={shown.exam_slot_id} />
      )}
      {!held && (
        <span className={css.decide}>
          {board?.exam.movable && !isProposed && shown.on_date !== null && (
            <Button
              size="compact-sm"
              variant="default"
              disabled={busy}
              onClick={() => void save(shown, { is_locked: !shown.is_locked })}
            >
              {shown.is_locked ? t('unlock') : t('lock')}
            </Button>
          )}
          {board?.exam.movable && !isProposed && shown.on_date !== null && !shown.is_locked && (
            <Button
              size="compact-sm"
              variant="default"
              disabled={busy}
              onClick={() => void save(shown, { on_date: null, exam_slot_id: null, locations: [] })}
            >
              {t('take_off')}
            </Button>
          )}
          <Button size="compact-sm" variant="default" component={Link} to={to('/exam_schedule/:id?', { id: shown.id })}>
            {t('open')}
          </Button>
          <CloseButton
            aria-label={t('close')}
            onClick={() => {
              // The focus stays on the card that was looked at.
              document.querySelector<HTMLElement>(`[data-exam="${shown.id}"]`)?.focus()
              setPicked(null)
            }}
          />
        </span>
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
