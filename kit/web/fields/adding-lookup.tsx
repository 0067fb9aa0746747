import { useState } from 'react'
import type { ComponentProps } from 'react'
import type { Resource } from '#kit/contract/resource.ts'
import type { Option } from '#kit/contract/schema.ts'
import { useChange } from '../api/index.ts'
import { useMe } from '../auth/index.ts'
import { Dialog, notify } from '../feedback/index.ts'
import { useLabel, useT } from '../i18n/index.ts'
import type { FormProps } from '../form/form.tsx'
import { part } from '../later.ts'
import { callsOf } from './calls-of.ts'
import { LookupInput } from './lookup-input.tsx'

const Form = part<FormProps<Option>>(async () => (await import('../form/form.tsx')).Form, { ahead: true })
const ARABIC = /\p{Script=Arabic}/u

/**
 * Chooses a record of a resource; users who may add one can do so without leaving the form: a dialog asks for its
 * fields, and the new record is chosen. @param of the definition of the resource @param given values of the new record
 * that the form knows, e.g. `{ university_id: 3 }`; the dialog does not ask for them
 */
export function AddingLookup({
  of,
  given = {},
  onChange,
  ...input
}: Omit<ComponentProps<typeof LookupInput>, 'resource' | 'create'> & {
  readonly of: Resource
  readonly given?: Readonly<Record<string, unknown>>
}) {
  const t = useT('kit-screens')
  const say = useLabel()
  const me = useMe()
  const { send } = useChange(of.path)
  const [typed, setTyped] = useState<string | null>(null)
  const [added, setAdded] = useState<Option | null>(null)
  const create = callsOf(of).create
  const may = create !== undefined && of.permissions.add !== null && me.may(of.permissions.add)
  const fields = Object.fromEntries(
    Object.entries(of.fields).filter(([name, field]) => !field.readOnly && !(name in given)),
  )
  return (
    <>
      <LookupInput
        key={added?.id ?? 'first'}
        {...input}
        resource={of.name}
        {...(added && { defaultValue: added.id, known: added })}
        onChange={onChange}
        create={
          may
            ? {
                label: (name) => (name ? t('lookup_add_named', { name }) : say(of.adding)),
                onCreate: setTyped,
              }
            : undefined
        }
      />
      {typed !== null && (
        <Dialog opened onClose={() => setTyped(null)} title={say(of.adding)}>
          <Form
            fields={fields}
            values={typed ? { [ARABIC.test(typed) ? 'name_local' : 'name']: typed } : null}
            always
            bar="dialog"
            submit={say(of.adding)}
            onCancel={() => setTyped(null)}
            onSave={async (values) => {
              const body = Object.fromEntries(
                Object.entries(values).filter(([name, value]) => fields[name] && value !== null && value !== ''),
              )
              return (await send(create!, { body: { ...body, ...given } })).data as unknown as Option
            }}
            onSaved={(option) => {
              notify.done(t('saved'))
              setTyped(null)
              setAdded(option)
              onChange(option.id as number, option)
            }}
          />
        </Dialog>
      )}
    </>
  )
}
