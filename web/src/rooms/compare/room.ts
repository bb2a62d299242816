import { html } from 'lit-html';
import type { Host, Room } from '../../views/context';

export function open(_host: Host): Room {
  return { view: () => html`` };
}
