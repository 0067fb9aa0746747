import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { publicationCalls as calls, type MemberRow } from './publication.contract.ts'
import { MEMBER_ROLES } from './words.contract.ts'

const PERSON = f.lookup(['Person of the university', 'شخص من الجامعة'], 'researcher')
const FIELDS = {
  user_id: PERSON,
  name: f.text(['Name as it stands on the work', 'الاسم كما ورد في العمل'], {
    max: 300,
    help: ['Empty: that of the person.', 'إن تُرك فارغًا فاسم الشخص.'],
  }),
  role: f.choice(['Job', 'الصفة'], MEMBER_ROLES, { required: true }),
  affiliation: f.text(['Institution', 'جهة الانتماء'], { max: 300 }),
  orcid: f.text(['ORCID iD', 'معرف ORCID'], { max: 60 }),
  is_corresponding: f.flag(['Corresponding author', 'المؤلف المراسل']),
}
/** Of many at once: a name on each line. */
const MANY = {
  names: f.longText(['Names, one on each line', 'الأسماء، كل اسم في سطر'], { required: true, max: 60_000 }),
}

/** One member added or changed; many names can be pasted. */
export function MemberDialog({
  publication,
  member,
  onClose,
}: {
  readonly publication: number
  readonly member: MemberRow | null
  readonly onClose: () => void
}) {
  const t = useT('publications')
  const { send } = useChange('/publications')
  return (
    <Modal opened onClose={onClose} title={t(member ? 'edit_member' : 'add_member')}>
      <Form
        bar="dialog"
        always
        submit={t('save')}
        onCancel={onClose}
        onSaved={onClose}
        fields={FIELDS}
        values={{
          user_id: member?.user?.id ?? null,
          user: member?.user ?? null,
          name: member?.name ?? null,
          role: member?.role ?? 'author',
          affiliation: member?.affiliation ?? null,
          orcid: member?.orcid ?? null,
          is_corresponding: member?.is_corresponding ?? false,
        }}
        onSave={(given) => {
          const body = {
            user_id: given.user_id == null ? null : Number(given.user_id),
            ...(given.name ? { name: String(given.name) } : {}),
            role: String(given.role),
            affiliation: (given.affiliation as string | null) || null,
            orcid: (given.orcid as string | null) || null,
            is_corresponding: given.is_corresponding === true,
          }
          return member
            ? send(calls.changeMember, { params: { id: member.id }, body: { ...body, version: member.version } })
            : send(calls.addMembers, { body: { publication_id: publication, members: [body] } })
        }}
      />
      {!member && (
        <details>
          <summary>{t('many_members')}</summary>
          <Form
            bar="dialog"
            always
            submit={t('save')}
            onCancel={onClose}
            onSaved={onClose}
            fields={MANY}
            values={{ names: null }}
            onSave={({ names }) =>
              send(calls.addMembers, {
                body: {
                  publication_id: publication,
                  members: String(names)
                    .split('\n')
                    .map((name) => name.trim())
                    .filter(Boolean)
                    .map((name) => ({ name })),
                },
              })
            }
          />
        </details>
      )}
    </Modal>
  )
}
