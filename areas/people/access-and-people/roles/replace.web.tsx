import { f } from '#kit/contract/field.ts'
import { useSend } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { roleCalls } from './role.contract.ts'

/** What becomes of who holds a role that goes: they get another one, for the same part and days. */
export function Replace({ row }: { readonly row: { readonly id: number } }) {
  const t = useT('access-and-people')
  const navigate = useNavigate()
  const replace = useSend(roleCalls.replaceRole, { invalidates: ['/roles', '/users', '/rights'] })
  const fields = {
    role_id: f.lookup(['What they get instead', 'ما يُمنح لهم بدلًا منه'], 'role', { required: true }),
    reason: f.text(['Why', 'السبب'], { required: true, max: 400 }),
  }
  return (
    <>
      <p>{t('role_replace_text')}</p>
      <Form
        fields={fields}
        bar="dialog"
        always
        submit={t('role_replace')}
        onSave={(values) => replace.mutateAsync({ params: { id: row.id }, body: values as never })}
        onSaved={(answer) => {
          notify.done(t('role_replaced', { count: answer.data.holders }))
          void navigate(to('/settings/roles'))
        }}
      />
    </>
  )
}
