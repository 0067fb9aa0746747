import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { Facts } from '#kit/web/detail/parts.tsx'
import { act, Empty } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, nameOf, problemText, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import type { StudentTrainingDetail } from '../students-trainings/student-training.contract.ts'
import css from '../trainings.module.css'

type Question = NonNullable<StudentTrainingDetail['question']>

/** The link by which the organisation answers: sent, opened, taken back. */
export function OrganisationQuestion({
  of,
  name,
  ask: sends,
  end: ends,
}: {
  readonly of: Question
  readonly name: string
  readonly ask: () => Promise<unknown>
  readonly end: () => Promise<unknown>
}) {
  const t = useT('trainings')
  const { ask } = of
  const sendIt = () =>
    act({
      ask: {
        title: t('ask_question', { name }),
        consequence: t(ask ? 'ask_again_text' : 'ask_text', { email: of.email ?? '' }),
        action: t('send_link'),
      },
      go: sends,
      done: () => t('link_sent', { email: of.email ?? '' }),
    })
  const end = () =>
    act({
      ask: { title: t('end_question'), consequence: t('end_text'), action: t('take_back') },
      go: ends,
      done: () => t('link_ended'),
    })
  return (
    <Card
      title={t('question')}
      text={t('question_text')}
      aside={
        <span className={css.buttons}>
          {ask && (
            <Button size="compact-sm" variant="default" onClick={() => void end()}>
              {t('take_back')}
            </Button>
          )}
          {of.not_asked.length === 0 && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconMail size={14} aria-hidden />}
              onClick={() => void sendIt()}
            >
              {t(ask ? 'send_again' : 'send_link')}
            </Button>
          )}
        </span>
      }
    >
      {ask ? (
        <Facts
          items={[
            { label: t('sent_to'), value: <bdi>{ask.email}</bdi> },
            {
              label: t('sent'),
              value: ask.by
                ? t('assessed_by', { by: nameOf(ask.by), at: formatInstant(ask.asked_at) })
                : formatInstant(ask.asked_at),
            },
            { label: t('opened'), value: ask.opened_at ? formatInstant(ask.opened_at) : t('not_yet') },
            { label: t('works_until'), value: formatDate(ask.ends_on) },
          ]}
        />
      ) : (
        of.not_asked.length === 0 && <Empty title={t('not_asked')} />
      )}
      {of.not_asked.length > 0 && (
        <ul className={css.plainList}>
          {of.not_asked.map((one) => (
            <li key={one.code}>{problemText(one)}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}
