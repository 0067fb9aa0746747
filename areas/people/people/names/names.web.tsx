import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { FactsOf } from '#kit/web/detail/parts.tsx'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { RecordsOf } from '../records/records.web.tsx'
import { ARABIC_PARTS, LATIN_PARTS, USED_NAMES } from './name-fields.contract.ts'
import { NAME_PARTS, splitName } from './name.rules.ts'
import type { Parts } from './name.rules.ts'
import { nameCalls } from './names.contract.ts'

const FIELDS = {
  given_local: ARABIC_PARTS.given_name_local,
  father_local: ARABIC_PARTS.father_name_local,
  grandfather_local: ARABIC_PARTS.grandfather_name_local,
  family_local: ARABIC_PARTS.family_name_local,
  given: LATIN_PARTS.given_name,
  father: LATIN_PARTS.father_name,
  grandfather: LATIN_PARTS.grandfather_name,
  family: LATIN_PARTS.family_name,
  used_name_local: USED_NAMES.used_name_local,
  used_name: USED_NAMES.used_name,
}
const SECTIONS = [
  {
    title: ['Legal name in Arabic', 'الاسم القانوني بالعربية'],
    text: ['As in the birth certificate; papers bear it.', 'كما في شهادة الميلاد، ويظهر في الوثائق.'],
    fields: ['given_local', 'father_local', 'grandfather_local', 'family_local'],
  },
  {
    title: ['Legal name in Latin letters', 'الاسم القانوني بالحروف اللاتينية'],
    text: ['As in the passport.', 'كما في جواز السفر.'],
    fields: ['given', 'father', 'grandfather', 'family'],
  },
  {
    title: ['Used name', 'اسم الشهرة'],
    text: [
      'What people call each other in classes and tickets; never on papers. Empty: the legal name.',
      'ما يُنادى به في قوائم المقررات والتذاكر، ولا يظهر في الوثائق. فارغ: الاسم القانوني.',
    ],
    fields: ['used_name_local', 'used_name'],
  },
] as const

type Values = Readonly<Record<string, unknown>>
const spread = (parts: Parts | null, end: string): Values =>
  Object.fromEntries(NAME_PARTS.map((part) => [`${part}${end}`, parts?.[part] ?? null]))
/** The names of a person: in parts, and the one by which he or she is called. What is proposed is looked at, and saved. */
export function NamesOf({ kind, id }: { kind: 'user' | 'student' | 'instructor'; id: number }) {
  const t = useT('people')
  const { send } = useChange('/people', '/students', '/instructors', '/employees', '/users')
  const { data, error, refetch } = useCall(nameCalls.namesOf, { params: { kind, id } })
  const [editing, setEditing] = useState(false)
  const names = data?.data
  if (error && !names) return <Failed error={error} retry={() => void refetch()} />
  if (!names) return <Bone height={220} />
  const known = { ...names, ...spread(names.latin, ''), ...spread(names.arabic, '_local') }
  const proposed = {
    ...names,
    ...spread(names.latin ?? splitName(names.name, 'latin'), ''),
    ...spread(names.arabic ?? splitName(names.name_local, 'arabic'), '_local'),
  }
  if (editing) {
    return (
      <Card>
        <Form
          fields={FIELDS}
          sections={SECTIONS}
          values={proposed}
          always
          submit={t('names_save')}
          onCancel={() => setEditing(false)}
          onSave={async (values, _changed, version) =>
            send(nameCalls.setNames, {
              params: { kind, id },
              body: {
                ...Object.fromEntries(
                  Object.keys(FIELDS).map((name) => [name, (values[name] as string | null) || null]),
                ),
                version: version ?? names.version,
              } as never,
            })
          }
          onSaved={() => {
            setEditing(false)
            notify.done(t('names_saved'))
          }}
        />
      </Card>
    )
  }
  return (
    <Stack>
      <Card
        title={t('names')}
        text={names.latin && names.arabic ? undefined : t('names_unknown')}
        aside={
          names.may_change && (
            <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
              {t(names.latin && names.arabic ? 'names_edit' : 'names_begin')}
            </Button>
          )
        }
      >
        <FactsOf fields={FIELDS} row={known} names={Object.keys(FIELDS)} />
      </Card>
      <RecordsOf kind={kind} id={id} />
    </Stack>
  )
}
