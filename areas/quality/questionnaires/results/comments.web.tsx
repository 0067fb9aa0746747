import { Button, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { act, Failed } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { useFormWords } from '../filling/words.web.ts'
import type { FormQuestion } from '../types/form.contract.ts'
import { resultCalls } from './results.contract.ts'
import css from '../questionnaires.module.css'

type Comment = ResponseOf<typeof resultCalls.comments>['data'][number]

/** Comments in an order of chance; whoever masks names reads each first. */
export function Comments({
  id,
  set,
  questions,
}: {
  id: number
  set: number | undefined
  questions: readonly FormQuestion[]
}) {
  const t = useT('questionnaires')
  const words = useFormWords()
  const [search, setSearch] = useState('')
  const { most, more } = useMost()
  const { data, error, refetch } = useCall(
    resultCalls.comments,
    { params: { id }, query: { most }, body: { search, ...(set !== undefined && { set_id: set }) } },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={160} />
  if (data.data.length === 0 && search === '') return null
  return (
    <Card
      title={t('comments')}
      text={
        data.waiting > 0
          ? `${t('comments_waiting', { count: data.waiting })} ${t('comment_masked_text')}`
          : t('comments_text')
      }
    >
      <Stack gap={14}>
        <TextInput
          label={t('search_comments')}
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {questions.map((question) => {
          const own = data.data.filter((one) => one.question === question.key)
          return (
            own.length > 0 && (
              <section key={question.key} aria-label={words(question.text)}>
                <h3>{words(question.text)}</h3>
                {own.map((one) =>
                  one.state === 'waiting' ? (
                    <Waiting key={one.id} of={one} />
                  ) : (
                    <p key={one.id} className={css.text} dir="auto">
                      {one.text}
                    </p>
                  ),
                )}
              </section>
            )
          )
        })}
        <MoreRows shown={data.data.length} total={data.total} onMore={more} />
      </Stack>
    </Card>
  )
}

/** A comment as it was written, with names masked as proposed: it is shown so, or not at all. */
function Waiting({ of }: { of: Comment }) {
  const t = useT('questionnaires')
  const { send } = useChange('/questionnaires')
  const [text, setText] = useState(of.proposed ?? of.text)
  const decide = (show: boolean) =>
    act({
      go: () => send(resultCalls.mask, { params: { id: of.id }, body: { text, show } }),
      done: () => t(show ? 'comment_shown' : 'comment_withheld'),
    })
  return (
    <div className={css.waiting}>
      <Textarea
        aria-label={t('comment_masked')}
        value={text}
        autosize
        dir="auto"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button variant="subtle" onClick={() => void decide(false)}>
        {t('withhold')}
      </Button>
      <Button variant="default" onClick={() => void decide(true)}>
        {t('show_comment')}
      </Button>
    </div>
  )
}
