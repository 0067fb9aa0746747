import { Alert } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DraftOffer, useDraft } from '#kit/web/form/draft.tsx'
import { formatDate, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { checkAnswers, countedAnswers, isBlank, isQuestionAsked } from '../filling/answers.rules.ts'
import { FormQuestions } from '../filling/questions.web.tsx'
import { useFormWords } from '../filling/words.web.ts'
import type { FormAnswers } from '../types/form.contract.ts'
import { invitedCalls } from './invited.contract.ts'
import css from '../questionnaires.module.css'

/** Where the links in the mail lead: who has no account answers, or says that no more mails are wanted. */
export default function InvitedQuestionnaire() {
  const [query] = useSearchParams()
  const stop = query.get('stop')
  return stop === null ? <Invited token={query.get('token') ?? ''} /> : <NoMoreMails stop={stop} />
}

function Invited({ token }: { token: string }) {
  const t = useT('questionnaires')
  const [done, setDone] = useState(false)
  const { data, error } = useCall(invitedCalls.questions, { body: { token } }, { refetchOnWindowFocus: false })
  const of = data?.data
  return (
    <PublicPage
      as="form"
      title={of ? nameOf(of.type) : t('fill_title')}
      text={of ? t('until', { date: formatDate(of.closes_on) }) : undefined}
    >
      {done ? (
        <Alert mt="md" icon={<IconCheck size={18} />}>
          {t('sent')}
        </Alert>
      ) : error ? (
        <Problems error={error} />
      ) : of ? (
        <Filling of={of} token={token} onSent={() => setDone(true)} />
      ) : (
        <Bone height={320} />
      )}
      {of && of.stop !== null && (
        <p className={css.stop}>
          <Link to={to('/questionnaire-invited', {}, { stop: of.stop })}>{t('stop_mails')}</Link>
        </p>
      )}
    </PublicPage>
  )
}

/** Mails end by a press of its own: programs that look into links press nothing. */
function NoMoreMails({ stop }: { stop: string }) {
  const t = useT('questionnaires')
  const { busy, problem, go, send } = useChange()
  const [refused, setRefused] = useState(false)
  const say = async (wanted: boolean) => {
    if (await go(() => send(invitedCalls.refuse, { body: { stop, refused: wanted } }))) setRefused(wanted)
  }
  return (
    <PublicPage as="form" title={t('stop_title')} text={t('stop_text')}>
      <div className={css.stopForm}>
        {refused && (
          <Alert mt="md" icon={<IconCheck size={18} />}>
            {t('stopped')}
          </Alert>
        )}
        {problem !== null && <Problems error={problem} />}
        <Submit missing={[]} loading={busy} variant={refused ? 'default' : 'filled'} onClick={() => void say(!refused)}>
          {t(refused ? 'stop_undo' : 'stop_mails')}
        </Submit>
      </div>
    </PublicPage>
  )
}

function Filling({
  of,
  token,
  onSent,
}: {
  of: ResponseOf<typeof invitedCalls.questions>['data']
  token: string
  onSent: () => void
}) {
  const t = useT('questionnaires')
  const words = useFormWords()
  const { busy, problem, go, send } = useChange()
  const [answers, setAnswers] = useState<FormAnswers>({})
  const draft = useDraft<{ answers: FormAnswers }>(
    `questionnaire.${token.slice(0, 12)}`,
    Object.values(answers).some((one) => !isBlank(one)) ? { answers } : null,
    (kept) => setAnswers(kept.answers ?? {}),
  )
  const missing = checkAnswers(of.questions, answers).map(({ field }) => {
    const question = of.questions.find(({ key }) => key === field)
    return question ? words(question.text) : null
  })
  const submit = async () => {
    const body = { token, answers: countedAnswers(of.questions, answers) }
    if (!(await go(() => send(invitedCalls.submit, { body })))) return
    draft.sent()
    onSent()
  }
  return (
    <Stack>
      {of.introduction && <p dir="auto">{words(of.introduction)}</p>}
      <p>{t('anonymous_text')}</p>
      <DraftOffer of={draft} />
      <FormQuestions
        asked={of.questions.filter((question) => isQuestionAsked(of.questions, question, answers))}
        answers={answers}
        onAnswer={(key, answer) => setAnswers((now) => ({ ...now, [key]: answer }))}
      />
      {problem !== null && <Problems error={problem} />}
      <Submit loading={busy} missing={missing} onClick={() => void submit()}>
        {t('send')}
      </Submit>
    </Stack>
  )
}
