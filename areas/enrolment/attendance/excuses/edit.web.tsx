import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { resourceCalls } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { INPUTS } from '#kit/web/fields/inputs.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from '../attendance.module.css'
import { excuse, excuseCalls } from './excuse.contract.ts'

const calls = resourceCalls(excuse)
const DateField = INPUTS.date
const FileField = INPUTS.file

/** Changes an excuse while nobody has decided it: its days, why, and the paper. */
export default function EditExcuse() {
  const id = Number(useParams().id)
  const say = useLabel()
  const { data, error } = useCall(calls.get, { params: { id } }, { refetchOnWindowFocus: false })
  return (
    <Page title={say(excuse.one)} wide={false}>
      {error && !data ? <Failed error={error} /> : data ? <Editor key={id} row={data.data} /> : <Bone height={300} />}
    </Page>
  )
}

interface Row {
  readonly id: number
  readonly version: number
  readonly why: string | null
  readonly from_date: string | null
  readonly to_date: string | null
}

function Editor({ row }: { row: Row }) {
  const t = useT('attendance')
  const k = useT('kit-screens')
  const say = useLabel()
  const navigate = useNavigate()
  const [changes, setChanges] = useState<{
    why?: string
    from_date?: string | null
    to_date?: string | null
    file_id?: number | null
  }>({})
  const { busy, problem, go, send } = useChange('/excuses')
  const set = (part: typeof changes) => setChanges((kept) => ({ ...kept, ...part }))
  const F = excuse.fields
  const save = async () => {
    const saved = await go(() =>
      send(excuseCalls.change, { params: { id: row.id }, body: { ...changes, version: row.version } }),
    )
    if (!saved) return
    notify.done(t('excuse_changed'))
    void navigate(`/excuses?id=${row.id}`)
  }
  return (
    <Card>
      <div className={css.form}>
        <Textarea
          label={say(F.why.label)}
          required
          dir="auto"
          autosize
          minRows={4}
          maxLength={2000}
          defaultValue={row.why ?? ''}
          onChange={(event) => set({ why: event.currentTarget.value })}
        />
        {row.from_date && (
          <>
            <DateField
              name="from_date"
              field={F.from_date}
              label={say(F.from_date.label)}
              required
              defaultValue={row.from_date}
              onChange={(value) => set({ from_date: value as string | null })}
            />
            <DateField
              name="to_date"
              field={F.to_date}
              label={say(F.to_date.label)}
              required
              defaultValue={row.to_date}
              onChange={(value) => set({ to_date: value as string | null })}
            />
          </>
        )}
        <FileField
          name="file_id"
          field={F.file_id}
          label={<Optional label={say(F.file_id.label)} />}
          row={row as never}
          defaultValue={(row as { file_id?: { id: number } | null }).file_id?.id ?? null}
          onChange={(value) => set({ file_id: value as number | null })}
        />
        {problem !== null && <Problems error={problem} />}
        <div className={css.bar}>
          <Submit
            loading={busy}
            missing={[!Object.keys(changes).length && k('nothing_changed')]}
            onClick={() => void save()}
          >
            {t('save')}
          </Submit>
        </div>
      </div>
    </Card>
  )
}
