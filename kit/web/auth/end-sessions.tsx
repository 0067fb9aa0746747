import { IconLogout } from '@tabler/icons-react'
import { send } from '../api/client.ts'
import { confirm } from '../feedback/dialogs.tsx'
import { notify } from '../feedback/notify.tsx'
import { translate } from '../i18n/catalogue.ts'
import type { RowAction } from '../list/row-action.ts'
import { calls } from './calls.ts'
import { may } from './me.ts'

/** For the menu of a person: signs the person out everywhere. Nothing where the reader may not. */
export const endSessionsAction = (kind: 'user' | 'student' | 'instructor', id: number): readonly RowAction[] =>
  may('end_sessions')
    ? [
        {
          key: 'end_sessions',
          label: translate('kit', 'end_sessions'),
          icon: <IconLogout size={15} className="pointing" aria-hidden />,
          onSelect: () => void endSessions(kind, id),
        },
      ]
    : []

async function endSessions(kind: 'user' | 'student' | 'instructor', id: number): Promise<void> {
  let ended = 0
  const done = await confirm({
    title: translate('kit', 'end_sessions_title'),
    consequence: translate('kit', 'end_sessions_text'),
    action: translate('kit', 'end_sessions'),
    danger: true,
    go: async () => {
      ;({ ended } = await send(calls.endSessionsOf, { params: { kind, id } }))
    },
  })
  if (done) notify.done(translate('kit', 'end_sessions_done', { count: ended }))
}
