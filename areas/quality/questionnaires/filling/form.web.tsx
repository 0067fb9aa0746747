import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, notify, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DraftOffer, useDraft } from '#kit/web/form/draft.tsx'
import { formatDate, formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import type { FormAnswers } from '../types/form.contract.ts'
import { checkAnswers, countedAnswers, isBlank, isQuestionAsked } from './answers.rules.ts'
import { fillCalls } from './fill.contract.ts'
import { FormQuestions } from './questions.web.tsx'
import { useGoingOn } from './use-going-on.web.ts'
import { useFormWords } from './words.web.ts'
import css from '../questionnaires.module.css'

type Asked = ResponseOf<typeof fillCalls.questions>['data']

/** Answers one questionnaire. What is filled in stays on the device until it is sent. */
export default function FillQuestionnaire() {
  const t = useT('questionnaires')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(fillCalls.questions, { params: { id } })
  const of = data?.data
  const { led, leave } = useGoingOn(`/${of?.kind ?? 'student'}_questionnaires`)
  const about = of ? [of.course, of.instructor].flatMap((one) => (one ? [nameOf(one)] : [])).join(' · ') : ''
  return (
    <Page
      title={of?.type}
      subtitle={of ? `${about ? `${about} · ` : ''}${t('until', { date: formatDate(of.closes_on) })}` : '\u00A0'}
      wide={false}
    >
      {error && !of ? (
        <Stack>
          <Failed error={error} retry={() => void refetch()} />
          {led && <Button onClick={leave}>{t('go_on_there')}</Button>}
        </Stack>
      ) : !of ? (
        <Bone height={420} />
      ) : of.answered ? (
        <Card title={t('answered_already')} text={t('answered_thanks')}>
          {led && <Button onClick={leave}>{t('go_on_there')}</Button>}
        </Card>
      ) : (
        <Filling key={of.id} of={of} />
      )}
    </Page>
  )
}

/** What is filled in, kept on the device, and sent or put off. */
function useFilling(of: Asked) {
  const t = useT('questionnaires')
  const { busy, problem, go, send } = useChange('/questionnaires')
  const { led, goOn } = useGoingOn(`/${of.kind}_questionnaires`)
  const [answers, setAnswers] = useState<FormAnswers>({})
  const draft = useDraft<{ answers: FormAnswers }>(
    `questionnaire.${of.id}`,
    Object.values(answers).some((one) => !isBlank(one)) ? { answers } : null,
    (kept) => setAnswers(kept.answers ?? {}),
  )
  const submit = async () => {
    const sent = await go(() =>
      send(fillCalls.submit, { params: { id: of.id }, body: { answers: countedAnswers(of.questions, answers) } }),
    )
    if (!sent) return
    draft.sent()
    notify.done(t('sent'))
    await goOn()
  }
  const postpone = async () => {
    const put = await go(() => send(fillCalls.postpone, { params: { id: of.questionnaire_id } }))
    if (!put) return
    notify.done(t('put_off', { count: put.answer.postponements_left }))
    await goOn()
  }
  return { answers, setAnswers, draft, busy, problem, led, submit, postpone }
}

function Filling({ of }: { of: Asked }) {
  const t = useT('questionnaires')
  const words = useFormWords()
  const { answers, setAnswers, draft, busy, problem, led, submit, postpone } = useFilling(of)
  const asked = of.questions.filter((question) => isQuestionAsked(of.questions, question, answers))
  const done = asked.filter(({ key }) => !isBlank(answers[key])).length
  const missing = checkAnswers(of.questions, answers).map(({ field }) => {
    const question = of.questions.find(({ key }) => key === field)
    return question ? words(question.text) : null
  })
  return (
    <Stack>
      {of.obligatory && (led || of.postponements_left === 0) && (
        <Card
          title={t('obligatory_title')}
          text={of.postponements_left > 0 ? t('led_text', { count: of.postponements_left }) : t('must_text')}
        />
      )}
      <Card title={t('anonymous')}>
        <p className={css.text}>{t('anonymous_text')}</p>
        {of.introduction && (
          <p className={css.text} dir="auto">
            {words(of.introduction)}
          </p>
        )}
        <DraftOffer of={draft} />
      </Card>
      <FormQuestions
        asked={asked}
        answers={answers}
        onAnswer={(key, answer) => setAnswers((now) => ({ ...now, [key]: answer }))}
      />
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
