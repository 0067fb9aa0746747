import { Button } from '@mantine/core'
import { IconAward } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf } from '#kit/contract/day.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Name, Status, act } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatDate, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import shared from '../../money.module.css'
import css from '../fees.module.css'
import { GrantForm, GrantYears, worth } from './grant-form.web.tsx'
import { GRANT_STATES, grantCalls, type GrantRow } from './grants.contract.ts'
import { TYPE_CHOICES } from '../words.contract.ts'

/** Scholarships that a student has, had and lost; given and taken back here by whoever may. */
export function ScholarshipsOf({ student }: { student: number }) {
  const t = useT('fees')
  const say = useLabel()
  const lang = useLanguage()
  const { send } = useChange('/scholarship', '/students', '/payments')
  const [open, setOpen] = useState(false)
  const { most, more } = useMost(50, MOST_OF_PAGE)
  const { data, error, refetch } = useCall(
    grantCalls.ofStudent,
    { params: { id: student }, body: { perPage: most } },
    { placeholderData: keepPreviousData },
  )
  if (error) return <Failed error={error} retry={() => void refetch()} />
  const remove = async (row: GrantRow) => {
    const reason = await askReason({
      title: t('remove_grant'),
      text: nameOf(row.scholarship, lang),
      action: t('remove'),
      danger: true,
    })
    if (reason === null) return
    await act({
      go: () =>
        send(grantCalls.remove, {
          params: { resource: 'students', id: student, scholarshipId: row.id },
          body: { reason, version: row.version },
        }),
      done: () => t('grant_removed'),
    })
  }
  const grant = may('grant_scholarship') && (
    <Button variant="default" size="xs" leftSection={<IconAward size={16} aria-hidden />} onClick={() => setOpen(true)}>
      {t('grant')}
    </Button>
  )
  const rows = data?.data
  return (
    <Card title={t('scholarships')} aside={rows?.length ? grant : undefined}>
      {!rows ? (
        <Bone height={160} />
      ) : !rows.length ? (
        <Empty
          icon={<IconAward size={28} aria-hidden />}
          title={t('no_grants')}
          text={t('student_no_grants')}
          action={grant}
        />
      ) : (
        <ul className={shared.list}>
          {rows.map((row) => {
            const state = GRANT_STATES.find(({ value }) => value === row.status)!
            const why =
              row.ended_reason ??
              row.reason ??
              (row.value === null ? null : t(`value_${row.scholarship.basis as 'gpa'}`, { value: Number(row.value) }))
            return (
              <li key={row.id} className={css.line}>
                <div className={css.two}>
                  <Name row={row.scholarship} />
                  <small className={`${css.of} ${shared.dim}`}>
                    <GrantYears row={row} />
                    <span>
                      {row.types
                        .map((type) => say(TYPE_CHOICES.find(({ value }) => value === type)!.label))
                        .join(lang === 'ar' ? '، ' : ', ')}
                    </span>
                    <span>{formatDate(dayOf(row.granted_at))}</span>
                    {row.granted_by && (
                      <span>
                        <Name row={row.granted_by} />
                      </span>
                    )}
                    {why && <span dir="auto">{why}</span>}
                  </small>
                </div>
                <div className={css.buttons}>
                  <b>
                    <Code>{worth(row)}</Code>
                  </b>
                  <Status tone={state.tone} label={say(state.label)} />
                  {row.abilities.includes('remove') && (
                    <Button variant="subtle" size="xs" color="red" onClick={() => void remove(row)}>
                      {t('remove')}
                    </Button>
                  )}
                </div>
              </li>
            )
          })}
        </ul>
      )}
      {data && <MoreRows shown={data.data.length} total={data.meta.count} onMore={more} />}
      {open && <GrantForm student={student} onClose={() => setOpen(false)} />}
    </Card>
  )
}
