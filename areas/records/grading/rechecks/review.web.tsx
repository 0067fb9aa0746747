import { Button, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Failed, Name, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { RecheckComparison } from './parts.web.tsx'
import { recheckCalls, type RecheckDetail } from './recheck.contract.ts'
import css from './rechecks.module.css'

/** What the reviewer found: the mark it should be, and why. Another person decides. */
export default function ReviewMark() {
  const t = useT('grading')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(recheckCalls.get, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Page title={t('say_finding')} subtitle={data ? <Name row={data.data.student} /> : ' '}>
      {data ? <Finding key={data.data.version} row={data.data} /> : <Bone height={320} />}
    </Page>
  )
}

function Finding({ row }: { row: RecheckDetail }) {
  const t = useT('grading')
  const navigate = useNavigate()
  const { send } = useChange('/grades-recheck')
  const [mark, setMark] = useState(row.new_mark ?? '')
  const [finding, setFinding] = useState(row.finding ?? '')
  const [error, setError] = useState<unknown>(null)
  const back = () => void navigate(to('/control/grades_recheck/show/:id', { id: row.id }))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await send(recheckCalls.find, { params: { id: row.id }, body: { mark, finding, version: row.version } })
      back()
    } catch (problem) {
      setError(problem)
    }
  }
  return (
    <Card title={<Name row={row.course} />} aside={<Code>{row.student.code}</Code>}>
      <p className={css.why} dir="auto">
        {row.why}
      </p>
      <RecheckComparison row={row} />
      <form className={css.form} onSubmit={(event) => void save(event)}>
        <TextInput
          label={t('mark_of', { max: row.max })}
          inputMode="decimal"
          dir="ltr"
          autoComplete="off"
          value={mark}
          onChange={(event) => setMark(event.currentTarget.value)}
        />
        <Textarea
          label={t('finding')}
          autosize
          minRows={3}
          maxLength={2000}
          value={finding}
          onChange={(event) => setFinding(event.currentTarget.value)}
        />
        {error !== null && <Problems error={error} />}
        <div className={css.actions}>
          <Submit
            type="submit"
            missing={[!mark.trim() && t('mark_of', { max: row.max }), finding.trim().length < 3 && t('finding')]}
          >
            {t('save_finding')}
          </Submit>
          <Button variant="default" onClick={back}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
