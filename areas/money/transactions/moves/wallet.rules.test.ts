import { expect, test } from 'vitest'
import { seededRandom } from '#demo/random.ts'
import { shownWallet, type WalletRead } from './wallet.rules.ts'

const student = { id: 1, code: '1', name: 'A', name_local: 'أ' }
const move = (id: number, amount: number, currency = 'EGP') =>
  ({
    id,
    amount,
    currency,
    at: `2026-11-${String(id).padStart(2, '0')}`,
    kind: 'charge',
  }) as unknown as WalletRead['moves'][number]

test('what two records of one person hold is one sum for each currency', () => {
  const { balances } = shownWallet({
    student,
    balances: [
      { currency: 'USD', wallet: 5, owed: 0, deposit: 1 },
      { currency: 'EGP', wallet: 100, owed: 30, deposit: 0 },
      { currency: 'EGP', wallet: -20, owed: 7, deposit: 3 },
    ],
    moves: [],
  })
  expect(balances).toEqual([
    { currency: 'EGP', wallet: 80, owed: 37, deposit: 3 },
    { currency: 'USD', wallet: 5, owed: 0, deposit: 1 },
  ])
})

test('entries stand the latest first, each with what was there after it, by currency', () => {
  const { moves } = shownWallet({
    student,
    balances: [],
    moves: [move(3, -40), move(1, 100), move(2, 7, 'USD'), move(4, 10)],
  })
  expect(moves.map(({ amount, currency, after }) => [amount, currency, after])).toEqual([
    [10, 'EGP', 70],
    [-40, 'EGP', 60],
    [7, 'USD', 7],
    [100, 'EGP', 100],
  ])
})

test('postings of one entry are one line', () => {
  const { moves } = shownWallet({ student, balances: [], moves: [move(1, 100), move(2, -30), move(2, -20)] })
  expect(moves.map(({ amount, after }) => [amount, after])).toEqual([
    [-50, 50],
    [100, 100],
  ])
})

test('in whatever order they are read, the last line of a currency is the sum of all', () => {
  const random = seededRandom(7)
  for (let round = 0; round < 200; round++) {
    const read = Array.from({ length: random.int(1, 30) }, (_, i) =>
      move(i + 1, random.int(-500, 500), random.chance(0.5) ? 'EGP' : 'USD'),
    )
    const { moves } = shownWallet({ student, balances: [], moves: random.shuffle(read) })
    for (const currency of ['EGP', 'USD']) {
      const of = read.filter((one) => one.currency === currency)
      const latest = moves.find((one) => one.currency === currency)
      expect(latest?.after ?? 0).toBe(of.reduce((sum, { amount }) => sum + amount, 0))
    }
  }
})
