import type { CompareQuery, Request } from 'ridgepoint';
import { icon } from '../../parts';
import type { Session } from '../../session';
import type { Inputs } from '../../state';
import type { View } from '../../views/context';

// The two setups by their places, whichever of them the inputs show.

export interface Side {
  name: 'A' | 'B';
  index: 0 | 1;
  inputs: Inputs;
  session: Session;
}

export function sidesOf({ place, session, other }: View): [Side, Side | null] {
  const [left, right] = place.sides;
  const atHand = place.active === 0;
  const second = atHand ? other : session;
  return [
    { name: 'A', index: 0, inputs: left, session: atHand || !other ? session : other },
    right && second ? { name: 'B', index: 1, inputs: right, session: second } : null,
  ];
}

/** Whether the last answer is to other inputs than these. */
export const isStale = ({ session }: Side) => session.problem !== null || session.pending !== null;

/** What to compare: null until both have an answer. */
export function compareQuery(sides: readonly Side[]): CompareQuery | null {
  const setups = sides.flatMap(({ name, session }) =>
    session.answer ? [{ label: name, request: session.answer.request as Request }] : [],
  );
  return setups.length === 2 ? { setups } : null;
}

export const markOf = (serves: boolean) => icon(serves ? 'yes' : 'no');
