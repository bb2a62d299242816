import { html } from 'lit-html';
import type { Host, Room } from '../../views/context';
import { CommandsIn } from './read-command';
import { LogIn } from './read-log';
import { words } from './words';
import { CommandsOut } from './write';
import './room.css';

// The setup as commands, commands as a setup, and a start-up log set against the estimate.

export function open(host: Host): Room {
  const out = new CommandsOut(host);
  const log = new LogIn(host);
  const command = new CommandsIn(host, (text) => {
    log.box.set(text);
    document.getElementById('commands-log-title')?.scrollIntoView({ block: 'start' });
  });
  return {
    view(page) {
      const told = page.locale.pick(words);
      return html`<div class="commands-room">
        ${out.view(page, told)} ${command.view(page, told)} ${log.view(page, told)}
      </div>`;
    },
  };
}
