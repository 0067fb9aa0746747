import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Empty, Failed, Name } from '#kit/web/feedback/index.ts'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { EnterExternal } from './add.web.tsx'
import { externalCalls, externalFields, type ApplicantTransfers } from './external.contract.ts'
import { OneExternal } from './show.web.tsx'

/** What an applicant brings from another university: entered, decided on, and settled for the program that was given. */
export default function EquivalenceOfApplicant() {
  const id = Number(useParams().user_id)
  const t = useT('transfers')
  const say = useLabel()
  const [entering, setEntering] = useState(false)
  const [chosen, choose] = useState<number | null>(null)
  const { data, error, refetch } = useCall(externalCalls.ofApplicant, { params: { id } })
  if (error && !data)
    return (
      <Page title={say(['Equivalence of a transfer applicant', 'معادلة متقدم محول'])}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  if (!data)
    return (
      <Page title={null}>
        <Bone height={420} />
      </Page>
    )
  const of = data.data
  const intro = <About of={of} choose={choose} />
  // The record for the program that was given comes before those for others.
  const shown =
    of.transfers.find((one) => one.id === chosen) ??
    of.transfers.find((one) => one.program.id === of.program?.id) ??
    of.transfers[0]
  const enters = of.abilities.includes('enter')
  if (entering || (enters && chosen === null && shown?.program.id !== of.program?.id))
    return (
      <EnterExternal
        applicant={id}
        intro={intro}
        onEntered={() => {
          setEntering(false)
          void refetch()
        }}
      />
    )
  if (!shown)
    return (
      <Page title={of.applicant}>
        <Stack>
          {intro}
          <Card>
            <Empty title={t('none_settled')} text={of.program ? t('none_settled_text') : t('no_program_text')} />
          </Card>
        </Stack>
      </Page>
    )
  return (
    <OneExternal
      key={shown.id}
      id={shown.id}
      intro={intro}
      more={
        enters
          ? [
              {
                key: 'another',
                label: t('enter_another'),
                icon: <IconPlus size={15} aria-hidden />,
                onSelect: () => setEntering(true),
              },
            ]
          : []
      }
    />
  )
}

/** What was written in the application, and its documents. */
function About({ of, choose }: { of: ApplicantTransfers; choose: (id: number) => void }) {
  const t = useT('transfers')
  const say = useLabel()
  const text = (value: string | null) => (value === null ? '–' : <bdi>{value}</bdi>)
  return (
    <Card title={t('applicant')}>
      <Facts
        items={[
          { label: t('person'), value: <Name row={of.applicant} /> },
          { label: t('program'), value: of.program ? <Name row={of.program} /> : '–' },
          { label: say(externalFields.university_id.label), value: text(of.previous_university) },
          { label: say(externalFields.university_faculty_id.label), value: text(of.previous_faculty) },
          { label: t('program_there'), value: text(of.previous_program) },
          {
            label: t('hours_there'),
            value: text(of.previous_hours === null ? null : String(Number(of.previous_hours))),
          },
          ...(of.documents.length
            ? [
                {
                  label: t('papers'),
                  wide: true,
                  value: of.documents.map(({ kind, file }) => (
                    <a key={file.id} href={file.url} target="_blank" rel="noreferrer">
                      <Name row={kind} />{' '}
                    </a>
                  )),
                },
              ]
            : []),
          ...(of.transfers.length > 1
            ? [
                {
                  label: t('external'),
                  wide: true,
                  value: of.transfers.map((one) => (
                    <Button key={one.id} variant="subtle" size="compact-sm" onClick={() => choose(one.id)}>
                      <Name row={one.university} /> · <Name row={one.program} />
                    </Button>
                  )),
                },
              ]
            : []),
        ]}
      />
    </Card>
  )
}
