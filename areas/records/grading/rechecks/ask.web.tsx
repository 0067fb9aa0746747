import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form, useFormValue } from '#kit/web/form/form.tsx'
import { formatMoney, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { FIRST_OFFERINGS, recheckCalls } from './recheck.contract.ts'
import css from './rechecks.module.css'

/** The marks that can be asked about; of a teacher's offering, once it is chosen. */
const useMarks = (offering: number | null, most = FIRST_OFFERINGS) =>
  useCall(
    recheckCalls.marks,
    { query: { most, ...(offering !== null && { offering_id: offering }) } },
    { placeholderData: offering === null ? keepPreviousData : undefined },
  )
type Answer = NonNullable<ReturnType<typeof useMarks>['data']>['data']
type Mark = Answer['marks'][number]
const keyOf = (mark: Mark): string => `${mark.registration_id}/${mark.offering_mark_id}`

/** Asks for a mark to be looked at again: a student for an own one, a teacher for one that is wrong. */
export default function AskAboutMark() {
  const t = useT('grading')
  const own = useMe().user.student_id !== null
  const navigate = useNavigate()
  const { send } = useChange('/grades-recheck')
  const { most, more } = useMost(FIRST_OFFERINGS)
  const asked = useMarks(null, most)
  const answer = asked.data?.data
  if (asked.error && !answer) return <Failed error={asked.error} retry={() => void asked.refetch()} />
  const teaches = (answer?.offerings.length ?? 0) > 0
  return (
    <Page title={t('ask_about_mark')}>
      {!answer ? (
        <Bone height={260} />
      ) : !teaches && !answer.marks.some(isOpen) ? (
        <>
          <Empty title={t('no_marks_to_ask')} text={t(own ? 'no_marks_to_ask_text' : 'no_marks_to_correct_text')} />
          <Closed marks={answer.marks} />
        </>
      ) : (
        <Card>
          <div className={css.form}>
            <Form
              fields={{ why: f.longText(asLabel(t('what_is_wrong')), { required: true, min: 3, max: 2000 }) }}
              values={{ offering: null, mark: null }}
              bar="dialog"
              always
              draft="recheck"
              submit={t('send_request')}
              onSave={({ mark, why }) => {
                const [registration_id, offering_mark_id] = String(mark).split('/').map(Number)
                return send(recheckCalls.ask, {
                  body: { registration_id: registration_id!, offering_mark_id: offering_mark_id!, why: String(why) },
                })
              }}
              onSaved={({ data }) => void navigate(to('/correction_requests/:id', { id: data.id }))}
            >
              <Which answer={answer} onMore={more} />
              {!teaches && <Closed marks={answer.marks} />}
              <Field name="why" />
              {answer.cost && (
                <p className={css.cost}>
                  {t('ask_costs', { sum: formatMoney(answer.cost.amount, answer.cost.currency) })}{' '}
                  {answer.cost.back && t('ask_costs_back')}
                </p>
              )}
            </Form>
          </div>
        </Card>
      )}
    </Page>
  )
}

/** A mark that can be asked about now. */
const isOpen = (mark: Mark): boolean => mark.refused.length === 0

/** What cannot be asked about, and why; folded away, as it is most. */
function Closed({ marks }: { marks: readonly Mark[] }) {
  const t = useT('grading')
  const lang = useLanguage()
  const closed = marks.filter((mark) => !isOpen(mark))
  if (!closed.length) return null
  return (
    <details className={css.closed}>
      <summary>{t('marks_closed', { count: closed.length })}</summary>
      <ul>
        {closed.map((mark) => (
          <li key={keyOf(mark)}>
            <bdi>
              {mark.course.code} {nameOf(mark.course, lang)} · {nameOf(mark.category, lang)} · {nameOf(mark.term, lang)}
            </bdi>
            <small>{mark.refused.map((reason) => problemText(reason)).join(' ')}</small>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Of which course, for who teaches several, and which mark of it. */
function Which({ answer, onMore }: { answer: Answer; onMore: (() => void) | undefined }) {
  const t = useT('grading')
  const lang = useLanguage()
  const teaches = answer.offerings.length > 0
  const offering = (useFormValue('offering') as number | null | undefined) ?? null
  const chosen = useFormValue('mark') as string | null | undefined
  const marks = useMarks(offering).data?.data.marks
  const offerings = useMemo(
    () =>
      f.choice(
        asLabel(t('course')),
        answer.offerings.map((row) => ({
          value: row.id,
          label: asLabel(`${row.course.code ?? ''} (${row.code ?? ''}) ${nameOf(row.course, lang)}`),
        })),
        { required: true },
      ),
    [answer, lang, t],
  )
  const field = useMemo(() => {
    const nameIn = (mark: Mark) =>
      [
        teaches
          ? `${mark.student.code ?? ''} ${nameOf(mark.student, lang)}`
          : `${mark.course.code ?? ''} ${nameOf(mark.course, lang)}`,
        nameOf(mark.category, lang),
        `${mark.mark === 'A' ? t('absent_short') : (mark.mark ?? '–')} / ${mark.max}`,
        // Of all terms: a course that was repeated stands there twice.
        ...(teaches ? [] : [nameOf(mark.term, lang)]),
      ].join(' · ')
    return f.choice(
      asLabel(t('mark')),
      (marks ?? [])
        .filter((mark) => teaches || isOpen(mark))
        .map((mark) => ({ value: keyOf(mark), label: asLabel(nameIn(mark)) })),
      { required: true },
    )
  }, [marks, teaches, lang, t])
  const mark = marks?.find((one) => keyOf(one) === chosen)
  const refused = mark?.refused ?? []
  return (
    <>
      {teaches && <Field name="offering" field={offerings} />}
      <MoreRows shown={answer.offerings.length} total={answer.total} onMore={onMore} />
      {/* Marks of another course are others: what was chosen of the one before is chosen no more. */}
      <Field key={`${offering} ${marks === undefined}`} name="mark" field={field} />
      {/* On a phone the field is narrower than what was chosen. */}
      {mark && (
        <p className={css.cost}>
          <bdi>
            {[
              nameOf(teaches ? mark.student : mark.course, lang),
              nameOf(mark.category, lang),
              `${mark.mark === 'A' ? t('absent_short') : (mark.mark ?? '–')} / ${mark.max}`,
              nameOf(mark.term, lang),
            ].join(' · ')}
          </bdi>
        </p>
      )}
      {refused.length > 0 && (
        <p role="alert" className={css.refused}>
          {refused.map((reason) => problemText(reason)).join(' ')}
        </p>
      )}
    </>
  )
}
