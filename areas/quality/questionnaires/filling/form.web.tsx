import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, notify, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DraftOffer, useDraft } from '#kit/web/form/draft.tsx'
import { formatDate, formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import type { FormAnswers } from '../types/form.contract.ts'
import { checkAnswers, countedAnswers, isBlank, isQuestionAsked } from './answers.rules.ts'
import { fillCalls } from './fill.contract.ts'
import { QuestionField } from './question-field.web.tsx'
import { useFormWords } from './words.web.ts'
import css from '../questionnaires.module.css'

type Asked = ResponseOf<typeof fillCalls.questions>['data']

/** Answers one questionnaire. What is filled in stays on the device until it is sent. */
export default function FillQuestionnaire() {
  const t = useT('questionnaires')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(fillCalls.questions, { params: { id } })
  const of = data?.data
  const about = of ? [of.course, of.instructor].flatMap((one) => (one ? [nameOf(one)] : [])).join(' · ') : ''
  return (
    <Page
      title={of?.type}
      subtitle={of ? `${about ? `${about} · ` : ''}${t('until', { date: formatDate(of.closes_on) })}` : '\u00A0'}
      wide={false}
    >
      {error && !of ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !of ? (
        <Bone height={420} />
      ) : of.answered ? (
        <Card title={t('answered_already')}>{t('answered_thanks')}</Card>
      ) : (
        <Filling key={of.id} of={of} />
      )}
    </Page>
  )
}

function Filling({ of }: { of: Asked }) {
  const t = useT('questionnaires')
  const words = useFormWords()
  const navigate = useNavigate()
  const { busy, problem, go, send } = useChange('/questionnaires')
  const [answers, setAnswers] = useState<FormAnswers>({})
  const draft = useDraft<{ answers: FormAnswers }>(
    `questionnaire.${of.id}`,
    Object.values(answers).some((one) => !isBlank(one)) ? { answers } : null,
    (kept) => setAnswers(kept.answers ?? {}),
  )
  const asked = of.questions.filter((question) => isQuestionAsked(of.questions, question, answers))
  const done = asked.filter(({ key }) => !isBlank(answers[key])).length
  const missing = checkAnswers(of.questions, answers).map(({ field }) => {
    const question = of.questions.find(({ key }) => key === field)
    return question ? words(question.text) : null
  })
  const submit = async () => {
    const sent = await go(() =>
      send(fillCalls.submit, { params: { id: of.id }, body: { answers: countedAnswers(of.questions, answers) } }),
    )
    if (!sent) return
    draft.sent()
    notify.done(t('sent'))
    void navigate('/student_questionnaires')
  }
  const postpone = async () => {
    const put = await go(() => send(fillCalls.postpone, { params: { id: of.questionnaire_id } }))
    if (!put) return
    notify.done(t('put_off', { left: formatNumber(put.answer.postponements_left) }))
    void navigate('/student_questionnaires')
  }
  const introduction = nameOf({ name: of.introduction ?? '', name_local: of.introduction_local ?? '' })
  return (
    <Stack>
      <Card title={t('anonymous')}>
        <p className={css.text}>{t('anonymous_text')}</p>
        {introduction && (
          <p className={css.text} dir="auto">
            {introduction}
          </p>
        )}
        <DraftOffer of={draft} />
      </Card>
      {asked.map((question, i) => (
        <Card
          key={question.key}
          {...(question.section &&
            question.section.name !== asked[i - 1]?.section?.name && { text: words(question.section) })}
        >
          <QuestionField
            of={question}
            value={answers[question.key] ?? null}
            onChange={(value) => setAnswers((now) => ({ ...now, [question.key]: value }))}
          />
        </Card>
      ))}
      {problem !== null && <Problems error={problem} />}
      <div className={css.foot}>
        <span role="status">{t('progress', { done: formatNumber(done), all: formatNumber(asked.length) })}</span>
        {of.postponements_left > 0 && (
          <Button variant="default" onClick={() => void postpone()}>
            {t('not_now')}
          </Button>
        )}
        <Submit loading={busy} missing={missing} onClick={() => void submit()}>
          {t('send')}
        </Submit>
      </div>
    </Stack>
  )
}
