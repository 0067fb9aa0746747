import { Button, NativeSelect, Textarea } from '@mantine/core'
import { IconCheck, IconRotate } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { act, Empty, Failed, Name, Problems, Status } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatInstant, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { courseFileCalls, type CheckedPart, type CourseFileComment } from './course-file.contract.ts'
import css from '../course-files.module.css'

const AFTER = ['/courseFile'] as const

/** What was said about the file, thread by thread; whoever sees it may say something. */
export function CourseFileComments({ id, parts }: { id: number; parts: readonly CheckedPart[] }) {
  const t = useT('course-files')
  const { data, error, refetch } = useCall(courseFileCalls.comments, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={240} />
  const threads = data.data.filter(({ reply_to }) => reply_to === null)
  return (
    <Stack>
      <Card title={t('say')}>
        <Say id={id} parts={parts} label={t('comment')} />
      </Card>
      {threads.length === 0 && <Empty title={t('no_comments')} text={t('no_comments_text')} />}
      {threads.map((one) => (
        <Thread key={one.id} id={id} of={one} answers={data.data.filter(({ reply_to }) => reply_to === one.id)} />
      ))}
    </Stack>
  )
}

function Thread({ id, of, answers }: { id: number; of: CourseFileComment; answers: readonly CourseFileComment[] }) {
  const t = useT('course-files')
  const { send } = useChange(...AFTER)
  const [answering, setAnswering] = useState(false)
  const settled = of.settled_at !== null
  const settle = (value: boolean) =>
    act({
      go: () => send(courseFileCalls.settleComment, { params: { id: of.id }, body: { settled: value } }),
      done: () => t(value ? 'settled' : 'reopened'),
    })
  return (
    <Card
      title={of.part ? nameOf(of.part) : t('whole_file')}
      aside={<Status is={settled ? 'done' : 'open'} label={t(settled ? 'settled' : 'not_settled')} />}
    >
      <ul className={css.thread}>
        {[of, ...answers].map((one) => (
          <li key={one.id}>
            <small>
              {one.by ? <Name row={one.by} /> : '–'} · {formatInstant(one.at)}
            </small>
            <p dir="auto">{one.text}</p>
          </li>
        ))}
      </ul>
      {answering && <Say id={id} reply_to={of.id} label={t('answer')} onSaid={() => setAnswering(false)} />}
      <div className={css.line}>
        {!settled && !answering && (
          <Button variant="default" onClick={() => setAnswering(true)}>
            {t('answer')}
          </Button>
        )}
        {of.settles && (
          <Button
            variant="subtle"
            leftSection={settled ? <IconRotate size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />}
            onClick={() => void settle(!settled)}
          >
            {t(settled ? 'reopen' : 'settle')}
          </Button>
        )}
      </div>
    </Card>
  )
}

/** A comment on all of it or on a part, or an answer. */
function Say({
  id,
  parts,
  reply_to,
  label,
  onSaid,
}: {
  id: number
  parts?: readonly CheckedPart[]
  reply_to?: number
  label: string
  onSaid?: () => void
}) {
  const t = useT('course-files')
  const { busy, problem, go, send } = useChange(...AFTER)
  const [text, setText] = useState('')
  const [part, setPart] = useState('')
  const say = async () => {
    const done = await go(() =>
      send(courseFileCalls.comment, {
        params: { id },
        body: { text: text.trim(), ...(reply_to && { reply_to }), ...(part && { part_id: Number(part) }) },
      }),
    )
    if (!done) return
    setText('')
    onSaid?.()
  }
  return (
    <div className={css.say}>
      {parts && (
        <NativeSelect
          label={t('about')}
          value={part}
          onChange={({ currentTarget }) => setPart(currentTarget.value)}
          data={[
            { value: '', label: t('whole_file') },
            ...parts.map((one) => ({ value: String(one.id), label: nameOf(one) })),
          ]}
        />
      )}
      <Textarea
        label={label}
        autosize
        minRows={2}
        maxLength={4000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {problem !== null && <Problems error={problem} />}
      <Submit
        missing={[text.trim() === '' && label]}
        loading={busy}
        onClick={() => void say()}
        {...(onSaid && { onCancel: onSaid })}
      >
        {t('send')}
      </Submit>
    </div>
  )
}
