import { Button } from '@mantine/core'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Problems, notify } from '#kit/web/feedback/index.ts'
import { nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { BLOCK_REASONS, blockCalls } from './block.contract.ts'

/** By marks: the courses that come with the level, registered at once; nothing when all are. */
export function OwnBlock({ student_id, term_id }: { student_id: number | null; term_id: number }) {
  const t = useT('registration')
  const say = useLabel()
  const lang = useLanguage()
  const whom = student_id === null ? {} : { student_id }
  const { data } = useCall(blockCalls.show, { query: { ...whom, term_id } })
  const { busy, problem, go, send } = useChange('/registrations')
  const block = data?.data
  if (!block || (!block.courses.length && !block.errors.length)) return null
  const open = block.courses.filter((one) => one.state === 'registered').length
  const register = async () => {
    const done = await go(() => send(blockCalls.register, { body: { ...whom, term_id } }))
    if (done)
      notify.done(
        t('block_done', { count: done.answer.data.courses.filter((one) => one.state === 'registered').length }),
      )
  }
  return (
    <Card
      title={t('block_own_title')}
      text={t('block_own_text')}
      aside={
        // Why there is none stands beside each course.
        open > 0 ? (
          <Button loading={busy} onClick={() => void register()}>
            {t('block_register_count', { count: open })}
          </Button>
        ) : undefined
      }
    >
      {block.errors.map((one, i) => (
        <p key={i}>{problemText(one)}</p>
      ))}
      <ul>
        {block.courses.map((one) => (
          <li key={one.course.id}>
            <Code>{one.course.code}</Code> <bdi>{nameOf(one.course, lang)}</bdi>{' '}
            <small>{say(BLOCK_REASONS.find((why) => why.value === one.why)!.label)}</small>{' '}
            {one.errors.map((error, i) => (
              <small key={i}>{problemText(error)}</small>
            ))}
          </li>
        ))}
      </ul>
      {problem !== null && problem !== undefined && <Problems error={problem} />}
    </Card>
  )
}
