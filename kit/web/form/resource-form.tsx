import { Button } from '@mantine/core'
import type { Fields } from '#kit/contract/field.ts'
import { useCall, useChange } from '../api/index.ts'
import { useMe } from '../auth/me.ts'
import { Empty, Failed, notify } from '../feedback/index.ts'
import { callsOf } from '../fields/calls-of.ts'
import type { ResourceWeb } from '../fields/resource-web.ts'
import { nameOf, useLabel, useT } from '../i18n/index.ts'
import { Link, addressOfRecord, fillPath, useNavigate, useParams, useSearchParams } from '../router/index.ts'
import { Page } from '../shell/page.tsx'
import { Form } from './form.tsx'
import css from './form.module.css'

/** The add and edit screen of a resource. */
export default function ResourceForm({ web, mode }: { web: ResourceWeb; mode: 'add' | 'edit' }) {
  const { id } = useParams()
  return mode === 'add' ? <Editor key="add" web={web} row={null} /> : <Loaded key={id} web={web} id={Number(id)} />
}

function Loaded({ web, id }: { web: ResourceWeb; id: number }) {
  const say = useLabel()
  const t = useT('kit-screens')
  const { data, error, refetch } = useCall(
    callsOf(web.resource).get!,
    { params: { id } },
    { refetchOnWindowFocus: false, gcTime: 0 },
  )
  const row = data?.data as unknown as Record<string, unknown> | undefined
  if (row?.removed) {
    const shown = addressOfRecord(web.resource.name, 'show', id)
    return (
      <Page wide={web.form?.wide ?? false} title={say(web.resource.editing)}>
        <Empty
          title={t('removed_cannot_edit')}
          text={t('removed_cannot_edit_text')}
          action={
            shown && (
              <Button component={Link} to={shown} variant="default">
                {t('open')}
              </Button>
            )
          }
        />
      </Page>
    )
  }
  if (row) return <Editor web={web} row={row} />
  return (
    <Page wide={web.form?.wide ?? false} title={say(web.resource.editing)}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <div className={css.grid} aria-busy="true">
          {Object.keys(web.resource.fields).map((name) => (
            <div key={name}>
              <div className={css.boneLabel} />
              <div className={css.bone} />
            </div>
          ))}
        </div>
      )}
    </Page>
  )
}

const asksNothing = () => () => Promise.resolve(null)

/** What the address already says of a new record: `…/show/add/:faculty_id?` chooses the faculty. */
const prefilled = (fields: Fields, params: Readonly<Record<string, string | undefined>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      const kind = fields[name]?.kind
      if (!value || !kind) return []
      if (kind !== 'lookup' && kind !== 'integer') return [[name, value] as [string, unknown]]
      return /^\d+$/.test(value) ? [[name, Number(value)] as [string, unknown]] : []
    }),
  )

function Editor({ web, row }: { web: ResourceWeb; row: Record<string, unknown> | null }) {
  const t = useT('kit-screens')
  const say = useLabel()
  const navigate = useNavigate()
  const params = useParams()
  const [query] = useSearchParams()
  const said = prefilled(web.resource.fields, Object.fromEntries(query))
  const { resource: r } = web
  const { send } = useChange(r.path)
  const calls = callsOf(r)
  const { student_id } = useMe().user
  // A student asks for nobody else.
  const own = r.flow && student_id !== null ? { student_id } : {}
  const fields = Object.fromEntries(
    Object.entries(r.fields).filter(([name, field]) => !field.readOnly && !Object.hasOwn(own, name)),
  )
  const leave = (saved: Record<string, unknown> | null) => {
    const after = saved && (web.form?.after as ((row: unknown) => string | null) | undefined)?.(saved)
    // Whoever came from a panel goes back to it.
    if (!row && !after && saved && Object.keys(said).length && window.history.length > 1) return void navigate(-1)
    const own = saved && r.screens.show ? addressOfRecord(r.name, 'show', saved.id as number) : null
    void navigate(after ?? own ?? ((r.screens.list ? fillPath(r.screens.list) : -1) as string))
  }
  const { Above, Below, Aside, useAsk = asksNothing } = web.form ?? {}
  // oxlint-disable-next-line react/hooks -- a form shows one resource as long as it stands
  const ask = useAsk()
  return (
    <Page
      wide={web.form?.wide ?? false}
      title={say(row ? r.editing : r.adding)}
      subtitle={row ? <bdi>{nameOf(row)}</bdi> : undefined}
    >
      {!row && Above && <Above />}
      <Form
        fields={fields}
        values={row ?? { ...web.form?.initial?.(), ...said, ...prefilled(fields, params) }}
        sections={r.sections}
        locked={row ? Object.keys(fields).filter((name) => fields[name]!.createOnly) : undefined}
        inputs={web.inputs}
        visible={web.form?.visible}
        always={!row}
        submit={row ? undefined : say(r.adding)}
        ask={(values) => ask(values, row as never)}
        onCancel={() => leave(row)}
        below={row && Below && <Below row={row as never} />}
        aside={Aside && <Aside row={row as never} />}
        onSave={async (values, changed, version) => {
          if (row) {
            const body = Object.fromEntries(
              Object.entries(changed).filter(([name]) => fields[name] && !fields[name].createOnly),
            )
            return (await send(calls.update!, { params: { id: row.id as number }, body: { ...body, version } })).data
          }
          const body = Object.fromEntries(
            Object.entries(values).filter(([name, value]) => fields[name] && value !== null && value !== ''),
          )
          return (await send(calls.create!, { body: { ...body, ...own } })).data
        }}
        onSaved={(saved) => {
          notify.done(t('saved'))
          leave(saved)
        }}
      />
    </Page>
  )
}
