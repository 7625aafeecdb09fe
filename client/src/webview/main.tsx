import { render } from 'preact';
import { App } from './app';
import { connect } from './state/vscodeApi';
import './style.css';

const root = document.createElement('div');
root.id = 'preview';
document.body.append(root);
render(<App host={connect()} />, root);
