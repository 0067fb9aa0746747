import { f } from '#kit/contract/index.ts'
import type { Row } from '#kit/contract/resource.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Failed, notify } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import { reservationFlow } from '../stays/stay.contract.ts'
import { STAY_PATHS } from '../stays/use-steps.web.ts'
import css from '../hotels.module.css'
import { bedGroup, bedGroupCalls } from './group.contract.ts'

/** The beds of a group: who was given each, and giving the next. */
function Places({ row }: { row: Row<typeof bedGroup> }) {
  const t = useT('hotels')
  const lang = useLanguage()
  const me = useMe()
  const { data, error, refetch } = useCall(bedGroupCalls.places, { params: { id: row.id } })
  const { send } = useChange(...STAY_PATHS)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={200} />
  const left = data.data.some((one) => one.name === null)
  return (
    <Stack>
      <Table
        label={t('group_beds')}
        rows={data.data}
        rowKey={(one) => one.id}
        columns={[
          {
            key: 'bed',
            label: t('bed'),
            head: true,
            cell: (one) => (
              <Link to={to('/reservation/:id', { id: one.id })}>
                <Code>{one.bed}</Code>
              </Link>
            ),
          },
          {
            key: 'who',
            label: t('guest'),
            cell: (one) =>
              one.name === null ? (
                <span className={css.dim}>{t('nobody_yet')}</span>
              ) : (
                <bdi>{nameOf({ name: one.name, name_local: one.name_local }, lang)}</bdi>
              ),
          },
          { key: 'state', label: t('state'), cell: (one) => <StateBadge flow={reservationFlow} state={one.status} /> },
        ]}
      />
      {left && me.can('edit_hotel') && (
        <Card title={t('give_member')}>
          <Form
            fields={(typed) => ({
              student_id: f.lookup(asLabel(t('student')), 'student', { help: asLabel(t('student_help')) }),
              ...(typed.student_id
                ? {}
                : {
                    guest_name: f.text(asLabel(t('guest_name')), { required: true }),
                    gender: f.choice(
                      asLabel(t('gender')),
                      [
                        { value: 1, label: asLabel(t('male')) },
                        { value: 2, label: asLabel(t('female')) },
                      ],
                      { required: true },
                    ),
                  }),
            })}
            key={data.data.filter((one) => one.name !== null).length}
            bar="dialog"
            submit={t('give_bed')}
            onSave={(typed) =>
              send(bedGroupCalls.giveMember, {
                params: { id: row.id },
                body: typed.student_id
                  ? { student_id: Number(typed.student_id) }
                  : { guest_name: String(typed.guest_name ?? ''), gender: Number(typed.gender) },
              })
            }
            onSaved={() => notify.done(t('bed_given'))}
          />
        </Card>
      )}
    </Stack>
  )
}

export default resourceWeb(bedGroup, {
  detail: { panels: [{ key: 'places', title: ['Beds', 'الأسرّة'], first: true, Content: Places }] },
})
